/**
 * Reason why a token is refused. `used`: consumed before. `full`: no room to remember it. `unwritable`: it could not be remembered, so it
 * must not count.
 */
export type SpendRefusal = 'used' | 'full' | 'unwritable';

/** Remembers consumed tokens until they expire. Stores outside this process are asynchronous. */
export interface SpentMemory {
  /**
   * Id of this memory, the same for all processes that share it. It is signed with each token, so that the token counts nowhere else: a
   * process with the same key and another memory would accept it a second time.
   */
  readonly id: string;
  /** Consumes a token until it expires (epoch ms). Undefined on success. */
  spend(nonce: string, until: number, now: number): SpendRefusal | undefined | Promise<SpendRefusal | undefined>;
  /** True when this token was consumed, or when that cannot be known. Consumes nothing. */
  has(nonce: string, until: number): boolean | Promise<boolean>;
}

/** Remembers used tokens in this process, for a key that only this process has. */
export class SpentNonces implements SpentMemory {
  readonly id = '';
  /** Expiry (epoch ms) by nonce. */
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
