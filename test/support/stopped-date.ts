import { afterEach, beforeEach } from 'mocha';
import sinon, { type SinonFakeTimers } from 'sinon';

/** Stops the date in every test of the block; it goes on with `tick`. Timers run as ever, unless they are to stop as well. */
export function stoppedDate({ stopsTimers = false } = {}): { tick(ms: number): void; setBack(ms: number): void } {
  let clock: SinonFakeTimers | undefined;
  beforeEach(() => {
    clock = sinon.useFakeTimers({
      toFake: ['Date', ...(stopsTimers ? (['setTimeout', 'clearTimeout'] as const) : [])],
      shouldClearNativeTimers: true,
      now: 1_700_000_000_000,
    });
  });
  afterEach(() => clock?.restore());
  return {
    tick: (ms) => void clock?.tick(ms),
    setBack: (ms) => clock?.setSystemTime(Date.now() - ms),
  };
}
