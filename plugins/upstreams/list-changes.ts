/** Time without a further notice before changed lists are read, in milliseconds. */
const debounceMs = 100;

/** Maximum delay of that while notices go on, in milliseconds. */
const maxDelayMs = 2000;

/** Reads the lists of one connection again after notices: once for many of them. */
export class ListChanges {
  readonly #read: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  /** Time of the first notice that is not read yet, as `performance.now()`. */
  #changedAt: number | undefined;
  #fresh: Promise<void> | undefined;
  #onFresh: () => void = () => {};

  /** `read` never rejects. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Resolves when all that was noticed is read; undefined when there is nothing to wait for. */
  get pending(): Promise<void> | undefined {
    return this.#fresh;
  }

  notice(): void {
    const now = performance.now();
    this.#changedAt ??= now;
    this.#fresh ??= new Promise((resolve) => {
      this.#onFresh = resolve;
    });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), Math.min(debounceMs, Math.max(0, this.#changedAt + maxDelayMs - now)));
    this.#timer.unref();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#settle();
  }

  async #run(): Promise<void> {
    this.#changedAt = undefined;
    await this.#read();
    // A notice that came meanwhile has its own timer.
    if (this.#changedAt === undefined) this.#settle();
  }

  #settle(): void {
    this.#fresh = undefined;
    this.#onFresh();
  }
}
