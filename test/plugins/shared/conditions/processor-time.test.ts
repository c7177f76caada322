import { expect } from 'chai';
import { isTimeout, withProcessorTime } from '../../../../plugins/shared/conditions/processor-time.ts';

/** Stops this thread for so long, as a machine that runs something else. */
const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('a limit of processor time', () => {
  it('runs again what the machine did not let run', () => {
    let runs = 0;
    const work = (text: string): string => {
      runs += 1;
      if (runs === 1) stall(300);
      return text;
    };
    expect(withProcessorTime(work, { timeoutMs: 250 })('done')).to.equal('done');
    expect(runs).to.be.greaterThan(1);
  });

  it('gives up after so many runs', () => {
    let runs = 0;
    const work = (): void => {
      runs += 1;
      stall(100);
    };
    expect(thrownBy(() => withProcessorTime(work, { timeoutMs: 50, maxRuns: 3 })(undefined))).to.satisfy(isTimeout);
    expect(runs).to.be.within(1, 3);
  });

  it('stops a loop, and a regular expression that tries for years', () => {
    const loop = (): void => {
      for (;;);
    };
    const match = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}!`);
    for (const work of [loop, match])
      expect(thrownBy(() => withProcessorTime<undefined, unknown>(work, { timeoutMs: 50 })(undefined))).to.satisfy(isTimeout);
  });

  it('gives on what the work throws', () => {
    const error = new RangeError('of the work');
    const work = (): never => {
      throw error;
    };
    expect(thrownBy(() => withProcessorTime(work, { timeoutMs: 250 })(undefined))).to.equal(error);
  });
});
