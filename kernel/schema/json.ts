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

/** Whether objects and lists stand within each other on more levels than this; so they do where one holds itself. Looks no deeper. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** Levels of nesting. What comes after walks through values as well, and must not run out of stack. */
const maxDepth = 500;

/**
 * The value as plain JSON. Objects with `toJSON` (dates, URLs) are converted; members that are `undefined` are left out, as
 * `JSON.stringify` does. Throws OUTPUT_INVALID with the path of the first part JSON cannot hold: a bigint, a function, a symbol,
 * a number that is not finite, a circular reference, or nothing at all.
 */
export function toJsonValue(value: unknown): JsonValue {
  return convert(value, '', new Set());
}

function convert(value: unknown, path: string, parents: Set<object>): JsonValue {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw notJson(path, `the number ${value}`);
      return value;
    case 'object':
      return value === null ? null : convertObject(value, path, parents);
    default:
      throw notJson(path, describeValue(value));
  }
}

function convertObject(value: object, path: string, parents: Set<object>): JsonValue {
  if (parents.size >= maxDepth) throw notJson('', `a value that is nested deeper than ${maxDepth} levels`);
  if (parents.has(value)) throw notJson(path, 'a circular reference');
  if (!Array.isArray(value) && typeof (value as { toJSON?: unknown }).toJSON === 'function') {
    return convert((value as { toJSON(): unknown }).toJSON(), path, parents);
  }
  parents.add(value);
  const result = Array.isArray(value)
    ? value.map((item, index) => convert(item === undefined ? null : item, `${path}[${index}]`, parents))
    : Object.fromEntries(
        Object.entries(value)
          .filter(([, member]) => member !== undefined)
          .map(([key, member]) => [key, convert(member, path === '' ? key : `${path}.${key}`, parents)]),
      );
  parents.delete(value);
  return result;
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
