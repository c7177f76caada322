import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { changedSubject } from '../shared/approval/approval-subject.ts';
import { FairCache } from '../shared/fairness/fair-cache.ts';
import { UsedTokenMemory, type UsedTokens } from '../shared/keys/used-tokens.ts';

/** A token is 16 random bytes, 6 bytes of expiry (epoch ms) and the HMAC-SHA256 over these, where it is spent, and the subject, in base64url (RFC 4648, 5). */
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
  /** @default the memory of this process */
  readonly spent?: UsedTokens;
}

/** Why a token does not count. `foreign`: it was signed for another subject, with another key, or by a process that remembers elsewhere what was used. */
export type TokenRefusal = 'malformed' | 'foreign' | 'expired' | 'used' | 'full' | 'unwritable';

/** Of so many tokens this process knows what they were minted for, to say what has changed; the tenant with most of them gives way. */
const mostRemembered = 1000;

/**
 * Mints and spends tokens, each for one subject: a text that says all that was approved. A token chooses neither key nor algorithm.
 */
export class ApprovalTokens {
  readonly #key: string | Uint8Array;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #spent: UsedTokens;
  /** By nonce, the subject of tokens that were minted here. */
  readonly #minted = new FairCache<string>({ maxEntries: mostRemembered });
  #latest = 0;

  constructor({ key, ttlMs, now = () => Date.now(), spent = new UsedTokenMemory() }: ApprovalTokenOptions) {
    this.#spent = spent;
    this.#key = key;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** For a call of this tenant. */
  mint(subject: string, tenant: string): string {
    const expiry = Buffer.alloc(expiryBytes);
    expiry.writeUIntBE(this.#time() + this.#ttlMs, 0, expiryBytes);
    const nonce = randomBytes(nonceBytes);
    this.#minted.set(tenant, nonce.toString('hex'), subject);
    const head = Buffer.concat([nonce, expiry]);
    return Buffer.concat([head, this.#sign(head, subject)]).toString('base64url');
  }

  /** Undefined when the token counts, which it does once. */
  spend(token: string, subject: string): TokenRefusal | undefined | Promise<TokenRefusal | undefined> {
    if (!tokenPattern.test(token)) return 'malformed';
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, headBytes);
    if (!timingSafeEqual(bytes.subarray(headBytes), this.#sign(head, subject))) return 'foreign';
    const [now, expiresAt] = [this.#time(), head.readUIntBE(nonceBytes, expiryBytes)];
    if (expiresAt <= now) return 'expired';
    return this.#spent.consume(head.toString('hex', 0, nonceBytes), expiresAt, now);
  }

  /** For a token that is `foreign`: the words for what differs from what it was minted for. None where this process does not know. */
  changedFor(token: string, subject: string): readonly string[] {
    const bytes = Buffer.from(token, 'base64url');
    const approved = this.#minted.get(bytes.toString('hex', 0, nonceBytes));
    if (approved === undefined) return [];
    const isOurs = timingSafeEqual(bytes.subarray(headBytes), this.#sign(bytes.subarray(0, headBytes), approved));
    return isOurs ? changedSubject(approved, subject) : [];
  }

  #sign(head: Uint8Array, subject: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(`${this.#spent.id}\n`).update(subject, 'utf8').digest();
  }

  /** Never goes back: a clock that is set back would revive tokens whose use is forgotten. */
  #time(): number {
    this.#latest = Math.max(this.#latest, this.#now());
    return this.#latest;
  }
}
