/** Looking at values of others, which may be proxies, have getters that throw, or lie about what they are. Nothing here throws. */
import { types } from 'node:util';
import { ToolkitError } from '../errors.ts';

export function isError(value: unknown): value is Error {
  return (
    typeof value === 'object' &&
    value !== null &&
    safely(() => types.isNativeError(value) || value instanceof Error || ToolkitError.is(value))
  );
}

export function isList(value: unknown): boolean {
  return safely(() => Array.isArray(value));
}

function safely(claim: () => boolean): boolean {
  try {
    return claim();
  } catch {
    return false;
  }
}

/** The member; a note where reading it throws. */
export function read(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch (error) {
    return unreadable(error);
  }
}

/** A note on a value that threw when it was looked at. */
export function unreadable(error: unknown): string {
  try {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`;
  } catch {
    return '[unreadable]';
  }
}

/** What `toJSON` gives, where it gives an object. */
export function jsonOf(value: object): object | undefined {
  const toJSON = read(value, 'toJSON');
  if (typeof toJSON !== 'function') return undefined;
  try {
    const json: unknown = toJSON.call(value);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The name of its class. */
export function classOf(value: object): string {
  const made = read(value, 'constructor');
  const name = typeof made === 'function' ? read(made, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : 'object';
}
