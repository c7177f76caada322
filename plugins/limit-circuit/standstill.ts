/** Interval of the timer that finds a standstill, in milliseconds. */
const intervalMs = 250;

/** Delay of that timer from which on the process counts as having stood still, in milliseconds. */
const toleranceMs = 1000;

/**
 * Finds out when this process stood still: it was stopped, its machine slept, or its event loop was blocked. Timers that are due then fire
 * late and together, before the answers that have arrived are read, so a time-out says nothing about the service. Compares the monotonic
 * clock with the schedule of a timer, which runs only while requests are observed.
 */
export class Standstill {
  readonly #now: () => number;
  #observed = 0;
  #timer: NodeJS.Timeout | undefined;
  #firedAt = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** `now`: monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Observes the process during a request. Call `end` afterwards, once: returns true when the process stood still meanwhile. */
  observe(): { readonly end: () => boolean } {
    if (this.#observed++ === 0) this.#start();
    else this.#check();
    const startedAt = this.#now();
    return {
      end: () => {
        // A late timer may not have fired yet.
        this.#check();
        if (--this.#observed === 0) clearInterval(this.#timer);
        return this.#endedAt > startedAt;
      },
    };
  }

  #start(): void {
    this.#firedAt = this.#now();
    this.#timer = setInterval(() => this.#check(), intervalMs).unref();
  }

  #check(): void {
    const now = this.#now();
    if (now - this.#firedAt > intervalMs + toleranceMs) this.#endedAt = now;
    this.#firedAt = now;
  }
}
