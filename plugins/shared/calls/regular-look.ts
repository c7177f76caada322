/** Poll interval in milliseconds. */
const lookMs = 1000;

/** Polls now and every second, one poll at a time, until closed. Calls `onFailure` for the first failure in a row. */
export class RegularLook {
  readonly #look: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #hasFailed = false;

  constructor(look: () => Promise<void>, failed: (error: unknown) => void) {
    this.#look = look;
    this.#failed = failed;
    this.#timer = setInterval(() => this.#begin(), lookMs).unref();
    this.#begin();
  }

  /** Resolves when the last poll has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  #begin(): void {
    this.#looking ??= this.#look()
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#hasFailed) this.#failed(error);
        this.#hasFailed = true;
      })
      .finally(() => {
        this.#looking = undefined;
      });
  }
}
