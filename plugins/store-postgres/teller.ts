interface Batch {
  readonly keys: Set<string>;
  readonly told: Promise<void>;
}

/**
 * Tells others which keys were written: those of one moment together, and not in the transactions that write them. PostgreSQL has those commit one
 * after the other that tell something, each until it is on the disk.
 */
export class Teller {
  readonly #send: (keys: readonly string[]) => Promise<unknown>;
  #next: Batch | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(send: (keys: readonly string[]) => Promise<unknown>) {
    this.#send = send;
  }

  /** Resolves when they are told. */
  tell(keys: readonly string[]): Promise<void> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.told;
  }

  #begin(): Batch {
    const keys = new Set<string>();
    const told = this.#last.then(async () => {
      this.#next = undefined;
      await this.#send([...keys]);
    });
    this.#last = told.catch(() => {});
    return { keys, told };
  }
}
