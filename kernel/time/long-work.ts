import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time of one slice, in milliseconds: other calls wait no longer. */
const maxSliceMs = 10;

/** Start of long work in this turn of the event loop. All work of one turn counts together. */
let sliceStartedAt: number | undefined;

/** The queue of paused work. One piece continues in each turn of the event loop, so that all advance together. */
let pausedWork: Promise<unknown> = Promise.resolve();

/** Long work in slices. It yields to the event loop between slices, so that other calls are not blocked, even by several such works in a row. */
export class LongWork {
  constructor() {
    beginSlice();
  }

  /** True when it is time to yield to the event loop. */
  get isDue(): boolean {
    return performance.now() - beginSlice() >= maxSliceMs;
  }

  async yieldToEventLoop(): Promise<void> {
    pausedWork = pausedWork.then(() => nextTurn());
    await pausedWork;
  }
}

function beginSlice(): number {
  if (sliceStartedAt === undefined) {
    sliceStartedAt = performance.now();
    setImmediate(endSlice);
  }
  return sliceStartedAt;
}

function endSlice(): void {
  sliceStartedAt = undefined;
}
