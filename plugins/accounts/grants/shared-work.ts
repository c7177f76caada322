import { unlessAborted } from '../../shared/remote-secrets/unless-aborted.ts';

/** Runs work once at a time for each key. Further callers share the running work; the signal of one of them ends its wait, not the work. */
export class SharedWork<T> {
  readonly #running = new Map<string, Promise<T>>();

  async run(key: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let running = this.#running.get(key);
    if (running === undefined) {
      running = work().finally(() => {
        if (this.#running.get(key) === running) this.#running.delete(key);
      });
      this.#running.set(key, running);
    }
    return unlessAborted(running, signal);
  }

  /** Has later callers of the key start anew. */
  forget(key: string): void {
    this.#running.delete(key);
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }
}
