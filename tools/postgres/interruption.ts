/** Stops the statement of a call when the caller cancels or the time is up. */
export class Interruption {
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;
  #lastImmediate: NodeJS.Immediate | undefined;
  #reason: unknown;

  /** `stop` runs at most once; `timeUp` builds the reason when the time is up. */
  constructor(signal: AbortSignal, limitMs: number, timeUp: () => Error, stop: () => void) {
    const interrupt = (reason: unknown): void => {
      this.end();
      this.#reason = reason;
      stop();
    };
    this.#signal = signal;
    this.#onAbort = () => interrupt(signal.reason);
    // A busy process runs the timer before it reads an answer that arrived in time. The immediate lets that answer count.
    this.#timer = setTimeout(() => {
      this.#lastImmediate = setImmediate(() => interrupt(timeUp()));
    }, limitMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** The reason for stopping the statement. Undefined while it runs. */
  get reason(): unknown {
    return this.#reason;
  }

  throwIfInterrupted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Stops watching: the statement is not interrupted any more. */
  end(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastImmediate);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
