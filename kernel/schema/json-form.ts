import { types } from 'node:util';

/** An object's way into JSON: by its members, by a value that takes its place, or none, with its content hidden, in words for a message. */
export type JsonForm = { readonly members: object } | { readonly value: unknown } | { readonly hidden: string };

/**
 * Says how an object that is neither a list nor a plain one is written as JSON. `toJSON` comes first, but for an invalid date, whose own one gives
 * null as if there were no date. Boxed values (`new Number(1)`) are taken out, as `JSON.stringify` does. Instances of classes and typed arrays are
 * their members. Built-in objects (Map, Error, RegExp …) keep their content where only their own methods reach it, and would lose it: they are known
 * by what they are made of, which no prototype changes. Objects of the platform (URLSearchParams, Blob, iterators) are known by the name that they
 * give themselves while they show no member.
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

/** The name of its class, where that says more. */
function nameOf(value: object): string | undefined {
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name;
  return typeof name === 'string' && /^[A-Z]\w{0,40}$/.test(name) && name !== 'Object' ? name : undefined;
}
