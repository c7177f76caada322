import { createHash, createHmac } from 'node:crypto';

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** True for a text that `randomValue` may have made. */
export function isRandomValue(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Returns a value for one purpose that only the holder of `secret` can compute. */
export function derivedValue(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}
