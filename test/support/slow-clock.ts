import sinon from 'sinon';

/** How often others got their turn until the work was done, where each look at the clock is a millisecond later. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly value: T }> {
  let now = 0;
  const clock = sinon.stub(performance, 'now').callsFake(() => now++);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  try {
    const value = await work();
    return { turns, value };
  } finally {
    isOver = true;
    clock.restore();
  }
}
