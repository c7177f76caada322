/** Nothing has changed for so long: the editor, or the tool that writes many files, is done. In milliseconds. */
const quietMs = 100;

/** Where changes never end, they are handed over all the same. In milliseconds. */
const longestMs = 3000;

/** Collects the files that change, and hands them over in one go when it is quiet. One batch is dealt with at a time. */
export class Changes {
  readonly #handle: (files: ReadonlySet<string>) => Promise<void>;
  #files = new Set<string>();
  #quiet: NodeJS.Timeout | undefined;
  #longest: NodeJS.Timeout | undefined;
  #handling: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `handle` does not throw. */
  constructor(handle: (files: ReadonlySet<string>) => Promise<void>) {
    this.#handle = handle;
  }

  add(file: string): void {
    if (this.#isClosed) return;
    this.#files.add(file);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#handOver(), quietMs);
    this.#longest ??= setTimeout(() => this.#handOver(), longestMs);
  }

  /** What was not handed over yet is not handed over any more. */
  close(): void {
    this.#isClosed = true;
    this.#clear();
  }

  #handOver(): void {
    this.#clear();
    const files = this.#files;
    this.#files = new Set();
    this.#handling = this.#handling.then(() => (this.#isClosed ? undefined : this.#handle(files)));
  }

  #clear(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#longest);
    this.#longest = undefined;
  }
}
