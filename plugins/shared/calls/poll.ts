/** Poll interval in milliseconds. */
const pollIntervalMs = 1000;

/** Polls now and every second, one poll at a time, until closed. Calls `onFailure` for the first failure in a row. */
export class Poll {
  readonly #poll: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #hasFailed = false;

  constructor(look: () => Promise<void>, failed: (error: unknown) => void) {
    this.#poll = look;
    this.#onFailure = failed;
    this.#timer = setInterval(() => this.#begin(), pollIntervalMs).unref();
    this.#begin();
  }

  /** Resolves when the last poll has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #begin(): void {
    this.#looking ??= this.#poll()
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.#onFailure(error);
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }
}
