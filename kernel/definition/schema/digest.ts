import { hash } from 'node:crypto';

/** Returns the SHA-256 of a value as JSON, in hex. */
export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex');
}
