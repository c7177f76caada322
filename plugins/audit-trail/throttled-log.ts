const intervalMs = 60_000;

/** Logs an event that may happen with every call: at once, then at most once a minute, with the number of occurrences since. */
export class ThrottledLog {
  #quietUntil = 0;
  #suppressed = 0;

  log(write: (since: string) => void): void {
    const now = Date.now();
    if (now < this.#quietUntil) {
      this.#suppressed++;
      return;
    }
    write(this.#suppressed === 0 ? '' : ` This happened ${this.#suppressed} more times since it was last logged.`);
    this.#quietUntil = now + intervalMs;
    this.#suppressed = 0;
  }

  /** Logs the next occurrence at once. */
  reset(): void {
    this.#quietUntil = 0;
    this.#suppressed = 0;
  }
}
