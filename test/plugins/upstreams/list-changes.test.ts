import { expect } from 'chai';
import sinon, { type SinonFakeTimers } from 'sinon';
import { ListChanges } from '../../../plugins/upstreams/list-changes.ts';

const even = Array.from({ length: 100 }, (_, index) => index * 10);

describe('notices of changed lists', () => {
  let clock: SinonFakeTimers;

  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });

  afterEach(() => clock.restore());

  for (const [how, times, reads] of [
    ['come at once', Array.from({ length: 100 }, () => 0), 1],
    ['are spread evenly over a second', even, 1],
    ['come in ten bursts of ten with silence between them', even.map((ms) => Math.floor(ms / 100) * 100), 1],
    ['are one at the beginning of a second, the others at its end', even.map((_, index) => (index === 0 ? 0 : 999)), 1],
    ['go on for ten seconds without a pause', Array.from({ length: 1000 }, (_, index) => index * 10), 10],
    ['are two, two seconds apart', [0, 2000], 2],
  ] as const)
    it(`are ${reads === 1 ? 'one read' : `${reads} reads`} when they ${how}`, async () => {
      const read = sinon.fake.resolves(undefined);
      const changes = new ListChanges(read);
      for (const ms of times) setTimeout(() => changes.notice(), ms);
      await clock.tickAsync(20_000);
      expect(read.callCount).to.equal(reads);
    });

  it('are read at once for a call that has to know the lists, and not again', async () => {
    const read = sinon.fake.resolves(undefined);
    const changes = new ListChanges(read);
    changes.notice();
    await changes.upToDate();
    expect(read.callCount).to.equal(1);
    await clock.tickAsync(20_000);
    expect(read.callCount).to.equal(1);
    expect(changes.upToDate()).to.equal(undefined);
  });

  it('are read again when one comes during a read, which may not have seen the change', async () => {
    const ends: (() => void)[] = [];
    const changes = new ListChanges(() => new Promise((resolve) => void ends.push(resolve)));
    changes.notice();
    const first = changes.upToDate();
    await clock.tickAsync(0);
    changes.notice();
    let isKnown = false;
    const second = changes.upToDate()?.then(() => {
      isKnown = true;
    });
    ends[0]?.();
    await first;
    await clock.tickAsync(0);
    expect([ends.length, isKnown]).to.deep.equal([2, false]);
    ends[1]?.();
    await second;
  });

  it('are forgotten at the end of the connection', async () => {
    const read = sinon.fake.resolves(undefined);
    const changes = new ListChanges(read);
    changes.notice();
    changes.end();
    await clock.tickAsync(20_000);
    expect(read.callCount).to.equal(0);
  });
});
