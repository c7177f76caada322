import { ToolkitError } from '../errors.ts';
import { costLimits } from './cost.ts';
import { jsonForm } from './json-form.ts';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** A JSON Schema, dialect 2020-12. */
export type JsonSchema = { readonly [key: string]: unknown };

/** Describes a value in a message: `string "abc"`, `number 3`, `array of 2`, `nothing`. */
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

/** Maximum levels of nesting. Later recursive code must not run out of stack. */
const maxDepth = 500;

/** Maximum weight of a value that is processed at once, which takes a few milliseconds. See `weightOf`. */
export const atOnce = 4096;

/** True for a value that is processed in slices, so that other calls are not blocked. */
export function isLarge(value: unknown): boolean {
  return weightOf(value, atOnce) > atOnce;
}

/**
 * Returns the weight of a value: its members and items at all levels, and one for each 64 characters of text. Returns a number above `limit` when it
 * is more, or when the value is nested too deep.
 */
export function weightOf(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return 1 + (value.length >>> 6);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 1;
  if (depth >= costLimits.depth) return limit + 1;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const count = (keys ?? (value as unknown[])).length;
  let weight = 1 + count;
  for (let index = 0; index < count && weight <= limit; index++) {
    const key = keys?.[index];
    const member = key === undefined ? (value as unknown[])[index] : (value as Record<string, unknown>)[key];
    if (key !== undefined) weight += key.length >>> 6;
    if (typeof member === 'string') weight += member.length >>> 6;
    // Each member is counted above.
    else if (typeof member === 'object' && member !== null) weight += weightOf(member, limit - weight + 1, depth + 1) - 1;
  }
  return weight;
}

/**
 * Converts a value to plain JSON. Objects with `toJSON` (dates, URLs) are converted, boxed values unwrapped, class instances and typed arrays
 * reduced to their enumerable members. Undefined members and symbols are left out, as by `JSON.stringify`. Throws OUTPUT_INVALID with the path of
 * the first part without a JSON form: a bigint, function, symbol, non-finite number, circular reference or undefined, or an object with hidden
 * content such as a Map, Set, Error, RegExp, Promise, ArrayBuffer or invalid Date.
 */
export function toJsonValue(value: unknown): JsonValue {
  return new Conversion().convert(value);
}

/**
 * Converts the parameters of a call in the same way. A bigint becomes a number, or beyond ±(2^53−1) a text of its digits. Numbers beyond that, which
 * may have been rounded, are added to `rounded`.
 */
export function toJsonParameters(value: unknown, rounded: RoundedInteger[]): JsonValue {
  return new Conversion(rounded).convert(value);
}

/** A number that may be a rounded integer beyond ±(2^53−1). */
export interface RoundedInteger {
  /** The keys from the root to the number. */
  readonly path: readonly (string | number)[];
  readonly value: number;
}

/** One pass through a value. It builds a path only for an error. */
class Conversion {
  readonly #rounded: RoundedInteger[] | undefined;
  /** The values from the root to the current one, and the keys between them. */
  readonly #parents = new Set<object>();
  readonly #keys: (string | number)[] = [];

  constructor(rounded?: RoundedInteger[]) {
    this.#rounded = rounded;
  }

  convert(value: unknown): JsonValue {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw this.#notJson(`the number ${value}`);
        if (this.#rounded !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value)) {
          this.#rounded.push({ path: [...this.#keys], value });
        }
        return value;
      case 'bigint':
        if (this.#rounded === undefined) throw this.#notJson(describeValue(value));
        return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
      case 'object':
        return value === null ? null : this.#object(value);
      default:
        throw this.#notJson(describeValue(value));
    }
  }

  #object(value: object): JsonValue {
    if (this.#parents.size >= maxDepth) throw notJson('', `a value that is nested deeper than ${maxDepth} levels`);
    if (this.#parents.has(value)) throw this.#notJson('a circular reference');
    const isList = Array.isArray(value);
    if (!isList && !(isPlainObject(value) && typeof value['toJSON'] !== 'function')) {
      const form = jsonForm(value);
      if ('hidden' in form) throw this.#notJson(form.hidden);
      if ('value' in form) return this.convert(form.value);
    }
    this.#parents.add(value);
    const result = isList
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
      setMember(members, key, value);
    }
    return members;
  }

  #member(key: string | number, member: unknown): JsonValue {
    if (typeof member === 'string' || typeof member === 'boolean' || member === null) return member;
    if (typeof member === 'number' && (Number.isSafeInteger(member) || this.#isPlain(member))) return member;
    this.#keys.push(key);
    const converted = this.convert(member);
    this.#keys.pop();
    return converted;
  }

  /** True for a finite number that needs no entry in `rounded`. */
  #isPlain(number: number): boolean {
    return Number.isFinite(number) && (this.#rounded === undefined || !Number.isInteger(number));
  }

  #notJson(received: string): ToolkitError {
    return notJson(pathText(this.#keys), received);
  }
}

/** Formats a path as `items[0].name`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    return before === '' ? key : `${before}.${key}`;
  }, '');
}

/** Sets a member, also one named __proto__. Assignment would change the prototype. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
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
