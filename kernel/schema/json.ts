import { ToolkitError } from '../errors.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema, dialect 2020-12. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a value is, in words for a message: `string "abc"`, `number 3`, `array of 2`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length <= 40 ? `string ${JSON.stringify(value)}` : `string of ${value.length} characters`;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return `${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (typeof value === 'object') return 'object';
  return typeof value;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Members and items that need not be counted. */
const fewMembers = 100;

/** True for a value without members, and for an object or list of a few values that have none: work on it costs nothing. */
export function isSmall(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return members.length <= fewMembers && members.every((member) => typeof member !== 'object' || member === null);
}

/** Levels of nesting. What comes after walks through values as well, and must not run out of stack. */
const maxDepth = 500;

/**
 * The value as plain JSON. Objects with `toJSON` (dates, URLs) are converted; members that are `undefined` are left out, as
 * `JSON.stringify` does. Throws OUTPUT_INVALID with the path of the first part JSON cannot hold: a bigint, a function, a symbol,
 * a number that is not finite, a circular reference, or nothing at all.
 */
export function toJsonValue(value: unknown): JsonValue {
  return new Conversion().convert(value);
}

/** One passage through a value. It writes down where it is only when something is wrong there. */
class Conversion {
  /** From the top to where the passage is: the values, and the keys that lead out of them. */
  readonly #parents = new Set<object>();
  readonly #keys: (string | number)[] = [];

  convert(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw this.#notJson(`the number ${value}`);
        return value;
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        throw this.#notJson(describeValue(value));
    }
  }

  #object(value: object): JsonValue {
    if (this.#parents.size >= maxDepth) throw notJson('', `a value that is nested deeper than ${maxDepth} levels`);
    if (this.#parents.has(value)) throw this.#notJson('a circular reference');
    if (!Array.isArray(value) && typeof (value as { toJSON?: unknown }).toJSON === 'function') {
      return this.convert((value as { toJSON(): unknown }).toJSON());
    }
    this.#parents.add(value);
    const result = Array.isArray(value)
      ? Array.from(value, (item: unknown, index) => this.#member(index, item === undefined ? null : item))
      : this.#members(value as Readonly<Record<string, unknown>>);
    this.#parents.delete(value);
    return result;
  }

  #members(object: Readonly<Record<string, unknown>>): JsonObject {
    const members: Record<string, JsonValue> = {};
    for (const key of Object.keys(object)) {
      if (object[key] === undefined) continue;
      const value = this.#member(key, object[key]);
      // An assignment would change the prototype.
      if (key === '__proto__') Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
      else members[key] = value;
    }
    return members;
  }

  #member(key: string | number, member: unknown): JsonValue {
    if (typeof member === 'string' || typeof member === 'boolean' || member === null || Number.isFinite(member)) return member as JsonValue;
    this.#keys.push(key);
    const converted = this.convert(member);
    this.#keys.pop();
    return converted;
  }

  #notJson(received: string): ToolkitError {
    const path = this.#keys.reduce<string>((before, key) => {
      if (typeof key === 'number') return `${before}[${key}]`;
      return before === '' ? key : `${before}.${key}`;
    }, '');
    return notJson(path, received);
  }
}

function notJson(path: string, received: string): ToolkitError {
  const where = path === '' ? 'The output' : `The output at "${path}"`;
  return new ToolkitError('OUTPUT_INVALID', `${where} cannot be written as JSON: expected a JSON value, received ${received}.`, {
    issues: [{ path, message: `expected a JSON value, received ${received}` }],
  });
}

/** Freezes a JSON value in depth and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
