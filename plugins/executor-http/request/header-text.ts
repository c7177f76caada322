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
 * object, what separates them, `%` and what is not ASCII are percent-encoded. Returns undefined for a value with nothing to send.
 */
export function styledHeader(name: string, { value: template, explode = false }: HeaderValue, lookup: Lookup): string | undefined {
  const value = renderValue(template, lookup);
  if (value === null || value === undefined) return undefined;
  const parameter = placeholdersIn(template)[0] ?? name;
  if (!isStructured(value)) return requireHeaderText(asText(value), parameter);
  if (!explode || isList(value)) {
    const items = flatTexts(value).map((text) => encodeItem(text, /[^\x20-\x7e]|[,%]/gu, parameter));
    return joinOrUndefined(items, ',');
  }
  const pairs = membersOf(value).map((pair) => pair.map((text) => encodeItem(text, /[^\x20-\x7e]|[,=%]/gu, parameter)).join('='));
  return joinOrUndefined(pairs, ',');
}

function encodeItem(text: string, encoded: RegExp, parameter: string): string {
  if (/[\r\n\0]/.test(text)) refuseValue(parameter, 'items without line breaks, because they are part of a header');
  return text.toWellFormed().replace(encoded, (character) => (character <= '\x7f' ? percentOf(character) : encodeURIComponent(character)));
}
