import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../../kernel/index.ts';

/**
 * A sealed text is, in base64url (RFC 4648, 5): one byte of format, 16 random bytes, 6 bytes of expiry (epoch ms), the payload as JSON in UTF-8,
 * and 32 bytes of HMAC-SHA256 over the purpose and where it counts, with their length before them, and all of these.
 */
const format = 1;
const idBytes = 16;
const expiryBytes = 6;
const headBytes = 1 + idBytes + expiryBytes;
const signatureBytes = 32;

/** Longest text that is looked at, in characters. */
const longest = 64 * 1024;

/** Why a text does not count. `foreign`: it was signed by somebody else, for another purpose, or was changed. */
export type SealRefusal = 'malformed' | 'foreign' | 'expired';

export interface Sealed {
  readonly payload: JsonObject;
  /** Hex, of 16 random bytes: what is to count once is spent by it (`SpentMemory`). */
  readonly id: string;
  /** Epoch ms. */
  readonly expiresAt: number;
}

export interface SealOptions {
  readonly purpose: string;
  /** Newest first: it signs, the others are accepted. Derived for this purpose. */
  readonly keys: () => readonly Uint8Array[];
  /** What is signed counts where this is the same: of the memory in which it is spent. @default everywhere */
  readonly within?: () => string;
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
}

/**
 * Signs what is given away and comes back, such as the state of a session. It can be read by who has it. The text chooses neither key nor algorithm, and
 * no two texts are the same seal.
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

  /** A text of letters, digits, `-` and `_` that opens for so many milliseconds. Throws for a payload that is too long to be opened again. */
  close(payload: JsonObject, ttlMs: number): string {
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(format);
    randomBytes(idBytes).copy(head, 1);
    head.writeUIntBE(this.#time() + ttlMs, 1 + idBytes, expiryBytes);
    const signed = Buffer.concat([head, Buffer.from(JSON.stringify(payload), 'utf8')]);
    const [key = new Uint8Array()] = this.#keys();
    const text = Buffer.concat([signed, this.#sign(key, signed)]).toString('base64url');
    if (text.length > longest) throw new RangeError(`What is sealed has ${text.length} characters; at most ${longest} are opened again.`);
    return text;
  }

  /** What was sealed. Where it is not, that takes as long whichever byte is wrong. */
  open(text: string): Sealed | SealRefusal {
    if (text.length > longest) return 'malformed';
    const bytes = Buffer.from(text, 'base64url');
    // Bits that a text has to spare, padding and the other alphabet would be further texts for the same bytes.
    if (bytes.length <= headBytes + signatureBytes || bytes.toString('base64url') !== text || bytes[0] !== format) return 'malformed';
    const signed = bytes.subarray(0, -signatureBytes);
    const signature = bytes.subarray(-signatureBytes);
    const matches = this.#keys().map((key) => timingSafeEqual(signature, this.#sign(key, signed)));
    if (!matches.includes(true)) return 'foreign';
    const expiresAt = signed.readUIntBE(1 + idBytes, expiryBytes);
    if (expiresAt <= this.#time()) return 'expired';
    return {
      // Own text: what this key has signed.
      payload: JSON.parse(signed.toString('utf8', headBytes)) as JsonObject,
      id: signed.toString('hex', 1, 1 + idBytes),
      expiresAt,
    };
  }

  #sign(key: Uint8Array, signed: Uint8Array): Buffer {
    this.#domain ??= withLength(this.#name());
    return createHmac('sha256', key).update(this.#domain).update(signed).digest();
  }

  /** Never goes back: a clock that is set back would revive what has expired. */
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
