import { hash } from 'node:crypto';

/** sha256 of a value as JSON, in hex: another text for another value. */
export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex');
}
