import { asText, placeholdersIn, refuseValue } from '../../../../kernel/index.ts';
import type { QueryValue } from '../../definition/styled.ts';
import { deepMembers, flatTexts, isList, isStructured, itemsOf, joinOrUndefined, membersOf, type Structured } from './items.ts';
import { type Encode, encodeExcept, encodeText } from './percent-encode.ts';

const delimiters = { form: ',', spaceDelimited: '%20', pipeDelimited: '|' } as const;

/** The reserved characters (RFC 3986, 2.2) that end no value in a query. */
const encodeReserved = encodeExcept(":/?@!$'()*,;");
const encodeReservedItem = encodeExcept(":/?@!$'()*;");

/**
 * Returns a value as text of a query or a form body, by its style (OpenAPI 3, Parameter Object; RFC 6570, 3.2.8). Items are
 * percent-encoded, separators are not, so that a receiver that splits first and then decodes gets the original values. Returns
 * undefined for a value with nothing to send, such as an empty list.
 */
export function queryText(
  name: string,
  value: unknown,
  { value: template, style = 'form', explode, allow_reserved: allowReserved = false }: QueryValue,
): string | undefined {
  const encode = allowReserved ? encodeReserved : encodeText;
  const key = encodeText(name);
  if (style === 'deepObject')
    return joinOrUndefined(
      deepMembers(key, value, encodeText).map(([path, text]) => `${path}=${encode(text)}`),
      '&',
    );
  if (!isStructured(value)) return value === null ? undefined : `${key}=${encode(asText(value))}`;
  if (explode ?? style === 'form') return joinOrUndefined(explodedPairs(key, value, encode), '&');
  const texts = flatTexts(value);
  // It could not be told from the separator.
  if (style === 'spaceDelimited' && texts.some((text) => text.includes(' ')))
    refuseValue(placeholdersIn(template)[0] ?? name, 'items without blanks, which separate them');
  const joined = joinOrUndefined(texts.map(allowReserved ? encodeReservedItem : encodeText), delimiters[style]);
  return joined === undefined ? undefined : `${key}=${joined}`;
}

function explodedPairs(key: string, value: Structured, encode: Encode): readonly string[] {
  if (isList(value)) return itemsOf(value).map((text) => `${key}=${encode(text)}`);
  return membersOf(value).map(([name, text]) => `${encodeText(name)}=${encode(text)}`);
}
