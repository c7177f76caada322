import { createHash } from 'node:crypto';

/** A short text that is another one for another JSON value. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
