const intervalMs = 60_000;

/** Logs an event that may happen with every call: at once, then at most once a minute, with the number of occurrences since. */
export class Repeats {
  #until = 0;
  #unsaid = 0;

  say(log: (since: string) => void): void {
    const now = Date.now();
    if (now < this.#until) {
      this.#unsaid++;
      return;
    }
    log(this.#unsaid === 0 ? '' : ` This happened ${this.#unsaid} more times since it was last logged.`);
    this.#until = now + intervalMs;
    this.#unsaid = 0;
  }

  /** Logs the next occurrence at once. */
  reset(): void {
    this.#until = 0;
    this.#unsaid = 0;
  }
}
