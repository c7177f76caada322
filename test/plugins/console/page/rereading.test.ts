import { expect } from 'chai';
import { Rereading } from '../../../../plugins/console/page/rereading.ts';

describe('a reading of the page that is asked for again and again', () => {
  const made = () => {
    const ends: (() => void)[] = [];
    const reading = new Rereading(() => new Promise((resolve) => ends.push(resolve)));
    return { ends, reading };
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is not begun again by requests while it runs, and runs once more behind them', async () => {
    const { ends, reading } = made();
    void reading.request();
    await settled();
    for (let count = 0; count < 5; count++) void reading.request();
    await settled();
    expect(ends).to.have.length(1);
    ends[0]?.();
    await settled();
    expect(ends).to.have.length(2);
    ends[1]?.();
    await settled();
    expect(ends).to.have.length(2);
  });

  it('resolves a request when a reading that began after it has ended', async () => {
    const { ends, reading } = made();
    void reading.request();
    await settled();
    let isDone = false;
    void reading.request().then(() => {
      isDone = true;
    });
    ends[0]?.();
    await settled();
    expect(isDone).to.equal(false);
    ends[1]?.();
    await settled();
    expect(isDone).to.equal(true);
  });
});
