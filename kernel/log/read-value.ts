/** Reads foreign values. They may be proxies, throw in getters, or lie about their type. Nothing here throws. */
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

/** Returns the member, or a note when reading it throws. */
export function read(value: object, key: PropertyKey): unknown {
  try {
    return (value as Record<PropertyKey, unknown>)[key];
  } catch (error) {
    return unreadable(error);
  }
}

/** Returns a note for a value that throws when it is read. */
export function unreadable(error: unknown): string {
  try {
    return `[unreadable: ${error instanceof Error ? error.message : String(error)}]`;
  } catch {
    return '[unreadable]';
  }
}

/** Returns the object that `toJSON` returns; undefined without one. */
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

/** Returns the class name of the object. */
export function classOf(value: object): string {
  const made = read(value, 'constructor');
  const name = typeof made === 'function' ? read(made, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : 'object';
}
