import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { changedSubject } from '../shared/approval/approval-subject.ts';
import { FairCache } from '../shared/fairness/fair-cache.ts';
import { UsedTokenMemory, type UsedTokens } from '../shared/keys/used-tokens.ts';

/**
 * A token has 16 random bytes, 6 bytes of expiry (epoch ms), and an HMAC-SHA256 over both, the id of the used-token store, and the subject. It is
 * encoded in base64url (RFC 4648, 5).
 */
const nonceBytes = 16;
const expiryBytes = 6;
const headBytes = nonceBytes + expiryBytes;

/** 54 bytes are 72 characters without padding or spare bits: no two texts are the same token. */
const tokenPattern = /^[A-Za-z0-9_-]{72}$/;

export interface ApprovalTokenOptions {
  readonly key: string | Uint8Array;
  /** Lifetime of a token, in milliseconds. */
  readonly ttlMs: number;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
  /** @default the memory of this process */
  readonly usedTokens?: UsedTokens;
}

/** Reasons for refusing a token. `foreign`: signed for another subject, with another key, or by a process with another used-token store. */
export type TokenRefusal = 'malformed' | 'foreign' | 'expired' | 'used' | 'full' | 'unwritable';

/** Maximum number of issued tokens whose subject is cached, to report what has changed. Entries of the tenant with most are evicted first. */
const maxCachedSubjects = 1000;

/**
 * Issues and consumes tokens. Each is bound to a subject: a text that lists everything that was approved. The token itself names neither key nor
 * algorithm.
 */
export class ApprovalTokens {
  readonly #key: string | Uint8Array;
  readonly #ttlMs: number;
  readonly #now: () => number;
  readonly #usedTokens: UsedTokens;
  /** Subjects of the tokens that this process has issued, by nonce. */
  readonly #issued = new FairCache<string>({ maxEntries: maxCachedSubjects });
  #latest = 0;

  constructor({ key, ttlMs, now = () => Date.now(), usedTokens = new UsedTokenMemory() }: ApprovalTokenOptions) {
    this.#usedTokens = usedTokens;
    this.#key = key;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** Issues a token for a call of this tenant. */
  issue(subject: string, tenant: string): string {
    const expiry = Buffer.alloc(expiryBytes);
    expiry.writeUIntBE(this.#monotonicNow() + this.#ttlMs, 0, expiryBytes);
    const nonce = randomBytes(nonceBytes);
    this.#issued.set(tenant, nonce.toString('hex'), subject);
    const head = Buffer.concat([nonce, expiry]);
    return Buffer.concat([head, this.#sign(head, subject)]).toString('base64url');
  }

  /** Consumes a token. Returns undefined when it is valid, which happens once, else the refusal. */
  consume(token: string, subject: string): TokenRefusal | undefined | Promise<TokenRefusal | undefined> {
    if (!tokenPattern.test(token)) return 'malformed';
    const bytes = Buffer.from(token, 'base64url');
    const head = bytes.subarray(0, headBytes);
    if (!timingSafeEqual(bytes.subarray(headBytes), this.#sign(head, subject))) return 'foreign';
    const [now, expiresAt] = [this.#monotonicNow(), head.readUIntBE(nonceBytes, expiryBytes)];
    if (expiresAt <= now) return 'expired';
    return this.#usedTokens.consume(head.toString('hex', 0, nonceBytes), expiresAt, now);
  }

  /** Lists the parts of the subject that differ from what a `foreign` token was issued for. Empty when this process does not know. */
  describeChanges(token: string, subject: string): readonly string[] {
    const bytes = Buffer.from(token, 'base64url');
    const approved = this.#issued.get(bytes.toString('hex', 0, nonceBytes));
    if (approved === undefined) return [];
    const isOurs = timingSafeEqual(bytes.subarray(headBytes), this.#sign(bytes.subarray(0, headBytes), approved));
    return isOurs ? changedSubject(approved, subject) : [];
  }

  #sign(head: Uint8Array, subject: string): Buffer {
    return createHmac('sha256', this.#key).update(head).update(`${this.#usedTokens.id}\n`).update(subject, 'utf8').digest();
  }

  /** Returns the time, never earlier than before: a clock set back would make used tokens valid again, whose use is forgotten after expiry. */
  #monotonicNow(): number {
    this.#latest = Math.max(this.#latest, this.#now());
    return this.#latest;
  }
}
