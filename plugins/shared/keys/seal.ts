import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../../kernel/index.ts';

/**
 * Format version of a sealed text. A sealed text is base64url (RFC 4648, 5) of: one byte of version, 16 random bytes, 6 bytes of expiry
 * (epoch ms), the payload as JSON in UTF-8, and 32 bytes of HMAC-SHA256 over all of these, preceded by the length-prefixed purpose and
 * memory id.
 */
const format = 1;
const idBytes = 16;
const expiryBytes = 6;
const headBytes = 1 + idBytes + expiryBytes;
const signatureBytes = 32;

/** Maximum length of a sealed text, in characters. */
const maxLength = 64 * 1024;

/** Reason why a text is refused. `foreign`: signed with another key, for another purpose, or changed. */
export type SealRefusal = 'malformed' | 'foreign' | 'expired';

export interface OpenedSeal {
  readonly payload: JsonObject;
  /** 16 random bytes in hex. A text that counts once is consumed by this id (`UsedTokens`). */
  readonly id: string;
  /** Expiry, epoch ms. */
  readonly expiresAt: number;
}

export interface SealOptions {
  readonly purpose: string;
  /** Keys, newest first: the first signs, all are accepted. Derived for this purpose. */
  readonly keys: () => readonly Uint8Array[];
  /** Id of the memory of used tokens. Signatures count only with the same id. @default everywhere */
  readonly within?: () => string;
  /** Clock, epoch ms. @default Date.now */
  readonly now?: () => number;
}

/**
 * Signs payloads that clients hold and return, such as the state of a session. The payload is readable, not secret. The text chooses
 * neither key nor algorithm, and each sealed text has exactly one spelling.
 */
export class Seal {
  readonly #name: () => string;
  #domain: Buffer | undefined;
  readonly #keys: SealOptions['keys'];
  readonly #now: () => number;
  #latest = 0;

  constructor({ purpose, keys, within, now = Date.now }: SealOptions) {
    this.#name = () => `toolkit seal ${purpose}${within === undefined ? '' : ` within ${within()}`}`;
    this.#keys = keys;
    this.#now = now;
  }

  /**
   * Signs a payload. Returns a text of letters, digits, `-` and `_`, valid for `ttlMs` milliseconds. Throws RangeError for a payload above
   * the maximum length.
   */
  sign(payload: JsonObject, ttlMs: number): string {
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(format);
    randomBytes(idBytes).copy(head, 1);
    head.writeUIntBE(this.#time() + ttlMs, 1 + idBytes, expiryBytes);
    const signed = Buffer.concat([head, Buffer.from(JSON.stringify(payload), 'utf8')]);
    const [key = new Uint8Array()] = this.#keys();
    const text = Buffer.concat([signed, this.#signatureOf(key, signed)]).toString('base64url');
    if (text.length > maxLength) throw new RangeError(`The sealed text has ${text.length} characters; at most ${maxLength} are accepted.`);
    return text;
  }

  /**
   * Verifies a sealed text and returns its payload, or the reason of the refusal. Takes the same time whichever byte of the signature is
   * wrong.
   */
  verify(text: string): OpenedSeal | SealRefusal {
    if (text.length > maxLength) return 'malformed';
    const bytes = Buffer.from(text, 'base64url');
    // Unused bits, padding and the other base64 alphabet would be further spellings of the same bytes.
    if (bytes.length <= headBytes + signatureBytes || bytes.toString('base64url') !== text || bytes[0] !== format) return 'malformed';
    const signed = bytes.subarray(0, -signatureBytes);
    const signature = bytes.subarray(-signatureBytes);
    const matches = this.#keys().map((key) => timingSafeEqual(signature, this.#signatureOf(key, signed)));
    if (!matches.includes(true)) return 'foreign';
    const expiresAt = signed.readUIntBE(1 + idBytes, expiryBytes);
    if (expiresAt <= this.#time()) return 'expired';
    return {
      // Own text: signed with this key.
      payload: JSON.parse(signed.toString('utf8', headBytes)) as JsonObject,
      id: signed.toString('hex', 1, 1 + idBytes),
      expiresAt,
    };
  }

  #signatureOf(key: Uint8Array, signed: Uint8Array): Buffer {
    this.#domain ??= withLength(this.#name());
    return createHmac('sha256', key).update(this.#domain).update(signed).digest();
  }

  /** Returns the time, never an earlier one: a clock that is set back must not revive expired texts. */
  #time(): number {
    this.#latest = Math.max(this.#latest, this.#now());
    return this.#latest;
  }
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
