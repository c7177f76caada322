import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';

/**
 * Returns the value at a dotted path such as `paging.next.after` or `errors.0.code`; undefined where there is none. `''` is
 * the whole value.
 */
export function valueAt(body: JsonValue, path: string): JsonValue | undefined {
  return segmentsOf(path).reduce<JsonValue | undefined>(memberOf, body);
}

/** Returns a copy with another value at the path. Missing objects on the way are created. */
export function replaceAt(body: JsonValue | undefined, path: string, value: JsonValue): JsonValue {
  return replaceSegments(body, segmentsOf(path), value);
}

function replaceSegments(node: JsonValue | undefined, [segment, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (segment === undefined) return value;
  const inner = replaceSegments(memberOf(node, segment), rest, value);
  if (Array.isArray(node)) return (node as readonly JsonValue[]).map((item, index) => (String(index) === segment ? inner : item));
  return { ...(isPlainObject(node) ? (node as { [key: string]: JsonValue }) : {}), [segment]: inner };
}

function memberOf(node: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, segment)) return undefined;
  return (node as { readonly [key: string]: JsonValue })[segment];
}

function segmentsOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}
