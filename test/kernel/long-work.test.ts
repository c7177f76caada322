import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { LongWork } from '../../kernel/index.ts';
import { turnsUntil } from '../support/slow-clock.ts';

describe('long work', () => {
  let now = 0;

  beforeEach(async () => {
    await nextTurn();
    now = 0;
    sinon.stub(performance, 'now').callsFake(() => now);
  });

  afterEach(() => sinon.restore());

  it('is due to rest after ten milliseconds, and not again at once', async () => {
    const work = new LongWork();
    now = 9;
    expect(work.isDue).to.equal(false);
    now = 10;
    expect(work.isDue).to.equal(true);
    await work.yieldToEventLoop();
    expect(work.isDue).to.equal(false);
  });

  it('goes on in turn with other long work, one in each turn', async () => {
    const order: string[] = [];
    const workOn = async (name: string): Promise<void> => {
      const work = new LongWork();
      for (let piece = 0; piece < 3; piece++) {
        order.push(name);
        await work.yieldToEventLoop();
      }
    };
    const { turns } = await turnsUntil(() => Promise.all([workOn('a'), workOn('b')]));
    expect(order.join('')).to.equal('ababab');
    expect(turns).to.be.at.least(6);
  });

  it('is due sooner where other long work was done in the same turn', async () => {
    const first = new LongWork();
    now = 10;
    expect([first.isDue, new LongWork().isDue]).to.deep.equal([true, true]);
  });
});
