import { expect } from 'chai';
import { type ReadCalls, withNewest, withOlder } from '../../../../../plugins/console/page/calls/join-pages.ts';
import { barParts, stageTimes } from '../../../../../plugins/console/page/calls/stage-times.ts';
import type { CallsPage } from '../../../../../plugins/console/wire/calls.ts';
import { madeCall } from '../demo-pages.ts';

const calls = Array.from({ length: 10 }, (_, index) => madeCall(index, { callId: `${index}` }));

function page(from: number, to: number, next?: string): CallsPage {
  return { running: [], ended: calls.slice(from, to), from: 'trail', ...(next !== undefined && { next }) };
}

function ids({ ended, next }: ReadCalls): string {
  return `${ended.map(({ callId }) => callId).join('')}${next === undefined ? '' : ` then ${next}`}`;
}

describe('The list of ended calls', () => {
  const read = withOlder(withNewest(undefined, page(3, 6, 'a')), page(6, 9, 'b'));

  it('adds older pages behind the newest one', () => {
    expect(ids(read)).to.equal('345678 then b');
  });

  it('puts new calls before those that were read, and keeps the cursor of the oldest', () => {
    expect(ids(withNewest(read, page(1, 4, 'c')))).to.equal('12345678 then b');
  });

  it('begins again when calls between are missing', () => {
    expect(ids(withNewest(read, page(0, 2, 'c')))).to.equal('01 then c');
  });

  it('takes a page that has all that is known as it is', () => {
    expect(ids(withNewest(withNewest(undefined, page(1, 3)), page(0, 4)))).to.equal('0123');
  });

  it('has each call once when pages overlap', () => {
    expect(ids(withOlder(read, page(8, 10)))).to.equal('3456789');
  });
});

describe('The stages of a call', () => {
  it('end where the next one begins, and the last one with the call', () => {
    const stages = [
      { stage: 'checks', beganAt: 100 },
      { stage: 'approval', beganAt: 110 },
      { stage: 'run', beganAt: 400 },
    ] as const;
    expect(stageTimes(stages, 100, 450)).to.deep.equal([
      { stage: 'checks', fromMs: 0, durationMs: 10 },
      { stage: 'approval', fromMs: 10, durationMs: 290 },
      { stage: 'run', fromMs: 300, durationMs: 50 },
    ]);
  });

  it('have no negative time when clocks disagree', () => {
    expect(stageTimes([{ stage: 'checks', beganAt: 90 }], 100, 80)).to.deep.equal([{ stage: 'checks', fromMs: 0, durationMs: 0 }]);
  });
});

describe('The bar of stages', () => {
  const partsOf = (...durations: readonly number[]): readonly string[] =>
    barParts(durations.map((durationMs) => ({ stage: 'run', fromMs: 0, durationMs }))).map(
      ({ from, width }) => `${from.toFixed(1)}+${width.toFixed(1)}`,
    );

  it('has parts in proportion, side by side', () => {
    expect(partsOf(100, 300)).to.deep.equal(['0.0+25.0', '25.0+75.0']);
  });

  it('shows stages that took no time beside a long one, and covers none', () => {
    expect(partsOf(0, 10_000, 0)).to.deep.equal(['0.0+1.0', '1.0+98.0', '99.0+1.0']);
  });

  it('is there for a call that took no time', () => {
    expect(partsOf(0, 0)).to.deep.equal(['0.0+50.0', '50.0+50.0']);
  });
});
