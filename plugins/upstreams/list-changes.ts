/** Time in which all notices are one change, in milliseconds. */
const windowMs = 1000;

/**
 * Reads the lists of one connection again after notices: once for all that come in a second, however they are spaced. A call that must know the lists
 * has them read at once.
 */
export class ListChanges {
  readonly #read: () => Promise<void>;
  /** Set while a notice is not read yet. */
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  /** `read` never rejects. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  notice(): void {
    this.#timer ??= setTimeout(() => this.#begin(), windowMs).unref();
  }

  /** Resolves when all that was noticed is read; undefined when there is nothing to wait for. */
  upToDate(): Promise<void> | undefined {
    if (this.#timer !== undefined) this.#begin();
    return this.#reading;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Reads after the read that runs: that one may have begun before the notice. */
  #begin(): void {
    this.end();
    const reading = (this.#reading ?? Promise.resolve()).then(this.#read);
    this.#reading = reading;
    void reading.then(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
  }
}
