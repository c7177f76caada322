import { asText, isPlainObject, refuseValue } from '../../../kernel/index.ts';
import type { PathValue, QueryValue } from '../definition/styled.ts';

/** Percent-encodes one text of a value. */
type Encode = (text: string) => string;

const delimiters = { form: ',', spaceDelimited: '%20', pipeDelimited: '|' } as const;

/**
 * Returns a value as query text, by its style (OpenAPI 3, Parameter Object; RFC 6570, 3.2.8). Items are percent-encoded,
 * separators are not, so that a receiver that splits first and then decodes gets the original values. Returns undefined for a
 * value with nothing to send, such as an empty list.
 */
export function queryText(
  name: string,
  value: unknown,
  { style = 'form', explode, allow_reserved: allowReserved = false }: QueryValue,
): string | undefined {
  const encode = allowReserved ? encodeReserved : encodeText;
  const key = encodeText(name);
  if (style === 'deepObject') return joinOrUndefined(deepPairs(key, value, encode), '&');
  if (!isPlainObject(value) && !Array.isArray(value)) return value === null ? undefined : `${key}=${encode(asText(value))}`;
  if (explode ?? style === 'form') return joinOrUndefined(explodedPairs(key, value, encode), '&');
  const texts = flatTexts(value);
  // It could not be told from the separator.
  if (style === 'spaceDelimited' && texts.some((text) => text.includes(' ')))
    refuseValue(name, 'items without blanks, which separate them');
  const all = texts.map(encode);
  return all.length === 0 ? undefined : `${key}=${all.join(delimiters[style])}`;
}

/** Returns a value as path text. `check` refuses texts that would leave the path. Returns undefined for an empty list or object. */
export function pathText(value: unknown, { explode = false }: PathValue, check: (text: string) => void): string | undefined {
  const encode: Encode = (text) => {
    check(text);
    return encodeText(text);
  };
  if (!isPlainObject(value) && !Array.isArray(value)) return encode(asText(value));
  const texts =
    isPlainObject(value) && explode
      ? membersOf(value).map(([key, text]) => `${encode(key)}=${encode(text)}`)
      : flatTexts(value).map(encode);
  return texts.length === 0 ? undefined : texts.join(',');
}

function explodedPairs(key: string, value: object, encode: Encode): readonly string[] {
  if (Array.isArray(value)) return itemsOf(value).map((text) => `${key}=${encode(text)}`);
  return membersOf(value as Readonly<Record<string, unknown>>).map(([name, text]) => `${encodeText(name)}=${encode(text)}`);
}

/** Returns `filter[a][b]=1`; a list is a repeated name, as most services read it. */
function deepPairs(key: string, value: unknown, encode: Encode): readonly string[] {
  if (isPlainObject(value))
    return Object.entries(value).flatMap(([name, member]) => deepPairs(`${key}[${encodeText(name)}]`, member, encode));
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(key, item, encode));
  return value === null || value === undefined ? [] : [`${key}=${encode(asText(value))}`];
}

/** Returns items, or names and values alternately. */
function flatTexts(value: object): readonly string[] {
  return Array.isArray(value) ? itemsOf(value) : membersOf(value as Readonly<Record<string, unknown>>).flat();
}

function itemsOf(list: readonly unknown[]): readonly string[] {
  return list.filter((item) => item !== null && item !== undefined).map(asText);
}

function membersOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === null || member === undefined ? [] : [[name, asText(member)] as const],
  );
}

function joinOrUndefined(pairs: readonly string[], by: string): string | undefined {
  return pairs.length === 0 ? undefined : pairs.join(by);
}

/** Percent-encodes by RFC 3986: `encodeURIComponent` leaves `!'()*`, which have a meaning for some servers. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes only the characters that would end the value: `&`, `=`, `+`, `#` and brackets. */
function encodeReserved(text: string): string {
  return encodeText(text).replace(/%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/g, (triple) => decodeURIComponent(triple));
}
