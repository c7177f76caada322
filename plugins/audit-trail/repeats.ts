const intervalMs = 60_000;

/** For something that may happen with every call: said at once, then at most once a minute, with how often it happened since. */
export class Repeats {
  #until = 0;
  #unsaid = 0;

  say(log: (since: string) => void): void {
    const now = Date.now();
    if (now < this.#until) {
      this.#unsaid++;
      return;
    }
    log(this.#unsaid === 0 ? '' : ` This happened ${this.#unsaid} more times since it was last said.`);
    this.#until = now + intervalMs;
    this.#unsaid = 0;
  }

  /** The next one is said at once. */
  reset(): void {
    this.#until = 0;
    this.#unsaid = 0;
  }
}
