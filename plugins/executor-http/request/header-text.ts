import { asText, type Lookup, placeholdersIn, refuseValue, renderValue } from '../../../kernel/index.ts';
import type { HeaderValue } from '../definition/styled.ts';
import { flatTexts, isList, isStructured, joinOrUndefined, membersOf } from './styles/items.ts';
import { percentOf } from './styles/percent-encode.ts';

/** Returns a value for use in a header, or refuses it. A line break would begin another header (RFC 9110, 5.5). */
export function requireHeaderText(text: string, name: string): string {
  if (/[\r\n\0]/.test(text)) return refuseValue(name, 'a value without line breaks, because it is part of a header');
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) return refuseValue(name, 'characters of ISO 8859-1 only, because it is part of a header');
  return text;
}

/**
 * Returns the value of a described header (OpenAPI 3, style simple). A text or number stands as it is. In items of a list or an
 * object, `,`, `=`, `%` and what is not ASCII are percent-encoded. Returns undefined for a value with nothing to send.
 */
export function styledHeader(name: string, { value: template, explode = false }: HeaderValue, lookup: Lookup): string | undefined {
  const value = renderValue(template, lookup);
  if (value === null || value === undefined) return undefined;
  const parameter = placeholdersIn(template)[0] ?? name;
  if (!isStructured(value)) return requireHeaderText(asText(value), parameter);
  const encode = (text: string): string => encodeItem(text, parameter);
  if (!explode || isList(value)) return joinOrUndefined(flatTexts(value).map(encode), ',');
  return joinOrUndefined(
    membersOf(value).map(([key, text]) => `${encode(key)}=${encode(text)}`),
    ',',
  );
}

function encodeItem(text: string, name: string): string {
  if (/[\r\n\0]/.test(text)) refuseValue(name, 'items without line breaks, because they are part of a header');
  return text
    .toWellFormed()
    .replace(/[^\x20-\x7e]|[,=%]/gu, (character) => (character <= '\x7f' ? percentOf(character) : encodeURIComponent(character)));
}
