/** Watches over the statement of a call: stops it when the caller gives up or the time is over. */
export class Interruption {
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort: () => void;
  #lastTurn: NodeJS.Immediate | undefined;
  #reason: unknown;

  /** `stop` runs at most once; `timeUp` makes the reason for the end of the time. */
  constructor(signal: AbortSignal, limitMs: number, timeUp: () => Error, stop: () => void) {
    const interrupt = (reason: unknown): void => {
      this.end();
      this.#reason = reason;
      stop();
    };
    this.#signal = signal;
    this.#onAbort = () => interrupt(signal.reason);
    // A process that was busy sees that its time is over before it sees what has arrived meanwhile, and that is to count.
    this.#timer = setTimeout(() => {
      this.#lastTurn = setImmediate(() => interrupt(timeUp()));
    }, limitMs);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  /** Why the statement was stopped; undefined while it was not. */
  get reason(): unknown {
    return this.#reason;
  }

  throwIfInterrupted(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** From here on nothing is stopped. */
  end(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastTurn);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
