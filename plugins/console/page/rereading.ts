/** Reads one at a time. Requests during a reading cause one more behind it: readings that take longer than the time between two requests end all the same. */
export class Rereading {
  readonly #read: () => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  /** `read` must not reject. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Resolves when a reading that began after this request has ended. */
  request(): Promise<void> {
    if (this.#queued === undefined) {
      this.#queued = this.#last.then(() => {
        this.#queued = undefined;
        return this.#read();
      });
      this.#last = this.#queued;
    }
    return this.#queued;
  }
}
