import { types } from 'node:util';

/** The JSON of an object: its members, another value in its place, or none, with a description of its hidden content. */
export type JsonForm = { readonly members: object } | { readonly value: unknown } | { readonly hidden: string };

/**
 * Returns how to write an object as JSON that is neither a list nor a plain object. `toJSON` takes precedence, except for an invalid date, which
 * would become null. Boxed values (`new Number(1)`) are unwrapped, as by `JSON.stringify`. Class instances and typed arrays become their members.
 * Built-in objects (Map, Error, RegExp …) would lose their content. They are recognised by their internal type, which a prototype cannot change, and
 * platform objects (URLSearchParams, Blob, iterators) by their class name while they have no members.
 */
export function jsonForm(value: object): JsonForm {
  if (types.isDate(value) && Number.isNaN(Date.prototype.getTime.call(value))) return { hidden: 'an invalid Date' };
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return { value: toJSON.call(value) };
  if (types.isBoxedPrimitive(value)) return { value: value.valueOf() };
  const kind = kinds.find(([, isKind]) => isKind(value))?.[0];
  if (kind !== undefined) return { hidden: named(kind, nameOf(value)) };
  if (types.isTypedArray(value) || Object.keys(value).length > 0) return { members: value };
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return tag === 'Object' || tag === 'Module' ? { members: value } : { hidden: named(tag, nameOf(value)) };
}

const kinds: readonly (readonly [string, (value: object) => boolean])[] = [
  ['Error', types.isNativeError],
  ['Map', types.isMap],
  ['Set', types.isSet],
  ['RegExp', types.isRegExp],
  ['Promise', types.isPromise],
  ['WeakMap', types.isWeakMap],
  ['WeakSet', types.isWeakSet],
  ['ArrayBuffer', types.isAnyArrayBuffer],
  ['DataView', types.isDataView],
  ['Generator', types.isGeneratorObject],
  ['Map Iterator', types.isMapIterator],
  ['Set Iterator', types.isSetIterator],
];

function named(kind: string, name: string | undefined): string {
  const shown = name === undefined || name === kind ? kind : `${name} (${kind})`;
  return `${/^[AEIOU]/.test(shown) ? 'an' : 'a'} ${shown}`;
}

/** Returns the class name, if it is informative. */
function nameOf(value: object): string | undefined {
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === 'string' && /^[A-Z]\w{0,40}$/.test(name) && name !== 'Object' ? name : undefined;
}
