import { asText, isPlainObject } from '../../../../kernel/index.ts';

/** A list, or an object, whose items a style writes one by one. */
export type Structured = readonly unknown[] | Readonly<Record<string, unknown>>;

export function isStructured(value: unknown): value is Structured {
  return Array.isArray(value) || isPlainObject(value);
}

/** Returns the items of a list as text; `null` is no item. A list or an object inside of it is its JSON. */
export function itemsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((item) => item !== null && item !== undefined).map(asText);
}

/** Returns names and values of an object as text; a member that is `null` is none. */
export function membersOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === null || member === undefined ? [] : [[name, asText(member)] as const],
  );
}

/** Returns items, or names and values alternately. */
export function flatTexts(value: Structured): readonly string[] {
  return isList(value) ? itemsOf(value) : membersOf(value).flat();
}

export function isList(value: Structured): value is readonly unknown[] {
  return Array.isArray(value);
}

/**
 * Returns names such as `filter[a][b]` with their texts, for the style deepObject. OpenAPI defines no lists in it (3.2, Style
 * Values). An item is `filter[a][]`, and has an index, `filter[a][0][b]`, where items have members, as Rails, PHP and qs read
 * them.
 */
export function deepMembers(
  path: string,
  value: unknown,
  encodeName: (name: string) => string = (name) => name,
): (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (!isStructured(value)) return [[path, asText(value)]];
  if (!isList(value))
    return Object.entries(value).flatMap(([name, member]) => deepMembers(`${path}[${encodeName(name)}]`, member, encodeName));
  const items = value.filter((item) => item !== null && item !== undefined);
  const isNested = items.some(isStructured);
  return items.flatMap((item, index) => deepMembers(`${path}[${isNested ? index : ''}]`, item, encodeName));
}

export function joinOrUndefined(texts: readonly string[], by: string): string | undefined {
  return texts.length === 0 ? undefined : texts.join(by);
}
