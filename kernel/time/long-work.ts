import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** So long at a time, in milliseconds: a call of somebody else waits no longer. */
const maxSliceMs = 10;

/** When long work began in this turn of the event loop: all that is done in one turn counts, whoever does it. */
let sliceStartedAt: number | undefined;

/** The turns that those who rest wait for: in each of them one goes on, so that none waits for the end of another. */
let pausedWork: Promise<unknown> = Promise.resolve();

/** Work of many pieces, between which the event loop gets its turn, so that nobody waits for all of it, nor for several such works in a row. */
export class LongWork {
  constructor() {
    beginSlice();
  }

  /** True when it is time to `rest`. */
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
