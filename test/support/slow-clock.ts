import { setImmediate as nextTurn } from 'node:timers/promises';
import sinon from 'sinon';

interface Turns<T> {
  readonly turns: number;
  readonly value: T;
}

/** How often others got their turn until the work was done. */
export async function turnsUntil<T>(work: () => Promise<T>): Promise<Turns<T>> {
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
  }
}

/** The same where each look at the clock is a millisecond later. Begins in a turn in which nothing was done. */
export async function turnsDuring<T>(work: () => Promise<T>): Promise<Turns<T>> {
  await nextTurn();
  let now = 0;
  const clock = sinon.stub(performance, 'now').callsFake(() => now++);
  try {
    return await turnsUntil(work);
  } finally {
    clock.restore();
  }
}
