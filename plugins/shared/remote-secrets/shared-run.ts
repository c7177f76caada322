import { unlessAborted } from './unless-aborted.ts';

interface Run {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that runs once for all concurrent callers, and is aborted when all of them have left. */
export class SharedRun {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  #current: Run | undefined;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  /** Waits for the current run, or starts one. Throws what the work throws, or the reason of the signal. */
  async join(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#current ??= this.#start();
    const run = this.#current;
    run.waiting += 1;
    try {
      await unlessAborted(run.done, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) this.#end(run);
    }
  }

  #start(): Run {
    const controller = new AbortController();
    return { done: this.#work(controller.signal), controller, waiting: 0 };
  }

  /** Aborts the run. Later callers start a new one, even when the work is slow to stop. */
  #end(run: Run): void {
    if (this.#current === run) this.#current = undefined;
    run.controller.abort();
  }
}
