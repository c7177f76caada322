import { ToolkitError } from '../errors.ts';
import { costLimits } from './cost.ts';
import { jsonForm } from './json-form.ts';

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

/** Levels of nesting. What comes after walks through values as well, and must not run out of stack. */
const maxDepth = 500;

/** Members and items, or so many times 64 characters, that are worked on at once: it takes a few milliseconds. */
export const atOnce = 4096;

/** True for a value that is worked on in slices, so that others need not wait for all of it. */
export function isLarge(value: unknown): boolean {
  return weightOf(value, atOnce) > atOnce;
}

/**
 * Members and items at every depth, and one more for each 64 characters of texts; some number above `limit` where it is more, or where the value
 * is nested deeper than one may be.
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
    // Each member counts as one already.
    else if (typeof member === 'object' && member !== null) weight += weightOf(member, limit - weight + 1, depth + 1) - 1;
  }
  return weight;
}

/**
 * The value as plain JSON. Objects with `toJSON` (dates, URLs) are converted, boxed values are taken out, instances of classes and typed arrays are
 * their enumerable members; members that are `undefined` and those under symbols are left out, as `JSON.stringify` does. Throws OUTPUT_INVALID with
 * the path of the first part JSON cannot hold: a bigint, a function, a symbol, a number that is not finite, a circular reference, nothing at all,
 * or an object whose content is not in its members: a Map, Set, Error, RegExp, Promise, ArrayBuffer, an invalid Date and the like.
 */
export function toJsonValue(value: unknown): JsonValue {
  return new Conversion().convert(value);
}

/**
 * The same for the parameters of a call. A bigint becomes a number, or the text of its digits where it is beyond ±(2^53−1). Integers beyond that which
 * are numbers, and may have been rounded before, are added to `rounded`.
 */
export function toJsonParameters(value: unknown, rounded: RoundedInteger[]): JsonValue {
  return new Conversion(rounded).convert(value);
}

/** A number that stands for an integer beyond ±(2^53−1). */
export interface RoundedInteger {
  /** The keys that lead to it. */
  readonly path: readonly (string | number)[];
  readonly value: number;
}

/** One passage through a value. It writes down where it is only when something is wrong there. */
class Conversion {
  readonly #rounded: RoundedInteger[] | undefined;
  /** From the top to where the passage is: the values, and the keys that lead out of them. */
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

  /** True for a number that nothing has to be said of, and that is no integer up to 2^53−1. */
  #isPlain(number: number): boolean {
    return Number.isFinite(number) && (this.#rounded === undefined || !Number.isInteger(number));
  }

  #notJson(received: string): ToolkitError {
    return notJson(pathText(this.#keys), received);
  }
}

/** `items[0].name`. */
export function pathText(path: readonly (string | number)[]): string {
  return path.reduce<string>((before, key) => {
    if (typeof key === 'number') return `${before}[${key}]`;
    return before === '' ? key : `${before}.${key}`;
  }, '');
}

/** Sets a member of an object, also one named __proto__, by whose assignment the prototype would change. */
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
