import { randomBytes } from 'node:crypto';

/** Returns 256 random bits as text of letters, digits, `-` and `_`, such as a verifier (RFC 7636, 4.1). */
export function randomValue(): string {
  return randomBytes(32).toString('base64url');
}
