/** Remembers what must not come a second time, until it could not come anyway. */
export interface SpentMemory {
  /**
   * Spends a nonce until a time (epoch ms). `used` when it was spent before; `full` when there is no room to remember it, `unwritable` when
   * that failed, and then it must not count either.
   */
  spend(nonce: string, until: number, now: number): 'used' | 'full' | 'unwritable' | undefined;
  /** Whether this nonce was spent, with this end. Spends nothing. */
  has(nonce: string, until: number): boolean;
}

/** In this process, for a key that only this process has. */
export class SpentNonces implements SpentMemory {
  /** Nonce to the time (epoch ms) from which it is refused as expired. */
  readonly #until = new Map<string, number>();
  readonly #most: number;

  constructor(most = 10_000) {
    this.#most = most;
  }

  get size(): number {
    return this.#until.size;
  }

  spend(nonce: string, until: number, now: number): 'used' | 'full' | undefined {
    for (const [known, end] of this.#until) if (end <= now) this.#until.delete(known);
    if (this.#until.has(nonce)) return 'used';
    if (this.#until.size >= this.#most) return 'full';
    this.#until.set(nonce, until);
    return undefined;
  }

  has(nonce: string): boolean {
    return this.#until.has(nonce);
  }
}
