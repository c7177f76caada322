import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { SpentNonces } from './spent-nonces.ts';

/** A token is 16 random bytes, 6 bytes of expiry (epoch ms) and the HMAC-SHA256 over these and the subject, in base64url (RFC 4648, 5). */
const nonceBytes = 16;
const expiryBytes = 6;
const headBytes = nonceBytes + expiryBytes;

/** 54 bytes are 72 characters without padding or spare bits: no two texts are the same token. */
const tokenPattern = /^[A-Za-z0-9_-]{72}$/;

export interface ApprovalTokenOptions {
  readonly key: string | Uint8Array;
  /** Milliseconds from minting to expiry. */
  readonly ttlMs: number;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
}

/** Why a token does not count. `foreign`: it was signed for another subject, or with another key. */
export type TokenRefusal = 'malformed' | 'foreign' | 'expired' | 'used' | 'full';

/**
 * Mints and spends tokens, each for one subject: a text that says all that was approved. A token chooses neither key nor algorithm.
 */
export class ApprovalTokens {
  readonly #key: string | Uint8Array;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #spent = new SpentNonces();
  #latest = 0;

  constructor({ key, ttlMs, now = () => Date.now() }: ApprovalTokenOptions) {
    this.#key = key;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  mint(subject: string): string {
    const expiry = Buffer.alloc(expiryBytes);
    expiry.writeUIntBE(this.#time() + this.#ttlMs, 0, expiryBytes);
    const head = Buffer.concat([randomBytes(nonceBytes), expiry]);
    return Buffer.concat([head, this.#sign(head, subject)]).toString('base64url');
  }

  /** Undefined when the token counts, which it does once. */
  spend(token: string, subject: string): TokenRefusal | undefined {
    if (!tokenPattern.test(token)) return 'malformed';
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, headBytes);
    if (!timingSafeEqual(bytes.subarray(headBytes), this.#sign(head, subject))) return 'foreign';
    const [now, expiresAt] = [this.#time(), head.readUIntBE(nonceBytes, expiryBytes)];
    if (expiresAt <= now) return 'expired';
    return this.#spent.spend(head.toString('hex', 0, nonceBytes), expiresAt, now);
  }

  #sign(head: Uint8Array, subject: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(subject, 'utf8').digest();
  }

  /** Never goes back: a clock that is set back would revive tokens whose use is forgotten. */
  #time(): number {
    this.#latest = Math.max(this.#latest, this.#now());
    return this.#latest;
  }
}
