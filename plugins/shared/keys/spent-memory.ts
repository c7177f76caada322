/** `used`: it was spent before. `full`: there is no room to remember it; `unwritable`: that failed: then it must not count either. */
export type SpendRefusal = 'used' | 'full' | 'unwritable';

/** Remembers what must not come a second time, until it could not come anyway. Only what is kept elsewhere gives promises. */
export interface SpentMemory {
  /**
   * Tells this memory from others, for all that share it. What is signed together with it counts nowhere else: a process with the same key and
   * another memory would take it a second time.
   */
  readonly id: string;
  /** Spends a nonce until a time (epoch ms). Undefined when it was not spent before. */
  spend(nonce: string, until: number, now: number): SpendRefusal | undefined | Promise<SpendRefusal | undefined>;
  /** Whether this nonce was spent, with this end. Spends nothing. True where that cannot be known. */
  has(nonce: string, until: number): boolean | Promise<boolean>;
}

/** In this process, for a key that only this process has. */
export class SpentNonces implements SpentMemory {
  readonly id = '';
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
