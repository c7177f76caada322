interface Batch {
  readonly keys: Set<string>;
  readonly sent: Promise<void>;
}

/**
 * Notifies other processes of written keys, batched and outside of the writing transactions. PostgreSQL commits transactions that notify one
 * after the other, each until it is on disk.
 */
export class Notifier {
  readonly #send: (keys: readonly string[]) => Promise<unknown>;
  #next: Batch | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(send: (keys: readonly string[]) => Promise<unknown>) {
    this.#send = send;
  }

  /** Resolves when the keys are sent. */
  notify(keys: readonly string[]): Promise<void> {
    this.#next ??= this.#begin();
    for (const key of keys) this.#next.keys.add(key);
    return this.#next.sent;
  }

  #begin(): Batch {
    const keys = new Set<string>();
    const sent = this.#last.then(async () => {
      this.#next = undefined;
      await this.#send([...keys]);
    });
    this.#last = sent.catch(() => {});
    return { keys, sent };
  }
}
