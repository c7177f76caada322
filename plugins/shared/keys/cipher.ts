import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Format version of encrypted bytes: one byte of version, 16 random bytes, the UTF-8 text under AES-256-GCM, and its 16-byte tag. Key and
 * nonce are derived from the random bytes (HKDF, RFC 5869), so that no nonce repeats (NIST SP 800-38D, 8).
 */
const format = 1;
const saltBytes = 16;
const tagBytes = 16;
const keyBytes = 32;
const nonceBytes = 12;
const headBytes = 1 + saltBytes;

/** Encrypts values that are stored where others may read and write. */
export class Cipher {
  readonly #keys: () => readonly Uint8Array[];

  /** `keys`: newest first. The first encrypts, all decrypt. Derived for this purpose. */
  constructor(keys: () => readonly Uint8Array[]) {
    this.#keys = keys;
  }

  /** Encrypts a text. `location`: where it is stored; it cannot be decrypted for another location. */
  encrypt(text: string, location: string): Buffer {
    const head = Buffer.concat([Buffer.of(format), randomBytes(saltBytes)]);
    const [key = new Uint8Array()] = this.#keys();
    const cipher = createCipheriv('aes-256-gcm', ...derived(key, head));
    cipher.setAAD(Buffer.from(location, 'utf8'));
    return Buffer.concat([head, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a text. Undefined for a text of another key or location, and for a changed one. */
  decrypt(bytes: Uint8Array, location: string): string | undefined {
    const head = Buffer.from(bytes.subarray(0, headBytes));
    if (bytes.length < headBytes + tagBytes || head[0] !== format) return undefined;
    for (const key of this.#keys()) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', ...derived(key, head), { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(location, 'utf8')).setAuthTag(bytes.subarray(-tagBytes));
        // Own text: encrypted by this class
        return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]).toString('utf8');
      } catch {
        // Not this key.
      }
    }
    return undefined;
  }
}

function derived(key: Uint8Array, head: Buffer): [Buffer, Buffer] {
  const bytes = Buffer.from(hkdfSync('sha256', key, head, 'toolkit value', keyBytes + nonceBytes));
  return [bytes.subarray(0, keyBytes), bytes.subarray(keyBytes)];
}
