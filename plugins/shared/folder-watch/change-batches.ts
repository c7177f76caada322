/** Quiet time after the last change before the files are handed over, in milliseconds. An editor or code generator is done by then. */
const debounceMs = 100;

/** Maximum time before files are handed over even if changes never stop, in milliseconds. */
const maxDelayMs = 3000;

/** Debounces file changes: collects changed files, and hands them over as one batch when it is quiet. Handles one batch at a time. */
export class ChangeBatches {
  readonly #handle: (files: ReadonlySet<string>) => Promise<void>;
  #files = new Set<string>();
  #quiet: NodeJS.Timeout | undefined;
  #maxDelayTimer: NodeJS.Timeout | undefined;
  #handling: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** `handle` must not throw. */
  constructor(handle: (files: ReadonlySet<string>) => Promise<void>) {
    this.#handle = handle;
  }

  add(file: string): void {
    if (this.#isClosed) return;
    this.#files.add(file);
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#handOver(), debounceMs);
    this.#maxDelayTimer ??= setTimeout(() => this.#handOver(), maxDelayMs);
  }

  /** Discards collected changes. */
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
    clearTimeout(this.#maxDelayTimer);
    this.#maxDelayTimer = undefined;
  }
}
