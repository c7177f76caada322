import { unlessAborted } from './unless-aborted.ts';

interface Run {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work that runs once for everybody who asks while it is under way, and is aborted when all of them have gone. */
export class SharedRun {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  #current: Run | undefined;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  /** Throws what the work throws, or the reason of the signal. */
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

  /** Whoever asks from now on starts anew, also when the work takes its time to notice. */
  #end(run: Run): void {
    if (this.#current === run) this.#current = undefined;
    run.controller.abort();
  }
}
