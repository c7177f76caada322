/**
 * Reason why a token is refused. `used`: consumed before. `full`: no room to remember it. `unwritable`: it could not be remembered, so it
 * must not count.
 */
export type ConsumeRefusal = 'used' | 'full' | 'unwritable';

/** Remembers consumed tokens until they expire. Stores outside this process are asynchronous. */
export interface UsedTokens {
  /**
   * Id of this memory, the same for all processes that share it. It is signed with each token, so that the token counts nowhere else: a
   * process with the same key and another memory would accept it a second time.
   */
  readonly id: string;
  /** Consumes a token until it expires (epoch ms). Undefined on success. */
  consume(nonce: string, until: number, now: number): ConsumeRefusal | undefined | Promise<ConsumeRefusal | undefined>;
  /** True when this token was consumed, or when that cannot be known. Consumes nothing. */
  has(nonce: string, until: number): boolean | Promise<boolean>;
}

/** Remembers used tokens in this process, for a key that only this process has. */
export class UsedTokenMemory implements UsedTokens {
  readonly id = '';
  /** Expiry (epoch ms) by nonce. */
  readonly #expiryByNonce = new Map<string, number>();
  readonly #maxTokens: number;

  constructor(maxTokens = 10_000) {
    this.#maxTokens = maxTokens;
  }

  get size(): number {
    return this.#expiryByNonce.size;
  }

  consume(nonce: string, until: number, now: number): 'used' | 'full' | undefined {
    for (const [known, end] of this.#expiryByNonce) if (end <= now) this.#expiryByNonce.delete(known);
    if (this.#expiryByNonce.has(nonce)) return 'used';
    if (this.#expiryByNonce.size >= this.#maxTokens) return 'full';
    this.#expiryByNonce.set(nonce, until);
    return undefined;
  }

  has(nonce: string): boolean {
    return this.#expiryByNonce.has(nonce);
  }
}
