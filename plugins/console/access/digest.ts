import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns 256 random bits as text of letters, digits, `-` and `_`. */
export function randomValue(): string {
  return randomBytes(32).toString('base64url');
}

/** True for a text that `randomValue` may have made. */
export function isRandomValue(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Returns a value for one purpose that only the holder of `secret` can compute. */
export function derivedValue(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** Compares two texts in a time that does not depend on their content. */
export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
