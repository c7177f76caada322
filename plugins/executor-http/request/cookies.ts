import { asText, type Lookup, placeholdersIn, refuseValue, renderValue } from '../../../kernel/index.ts';
import type { HttpExecution } from '../definition/execution.ts';
import { type CookieValue, isStyled } from '../definition/styled.ts';
import { flatTexts, isList, isStructured, itemsOf, joinOrUndefined, membersOf } from './styles/items.ts';
import { encodeExcept, encodeText } from './styles/percent-encode.ts';

/** A name and a value, ready for the header. */
type Pair = readonly [string, string];

/** The reserved characters (RFC 3986, 2.2) that a cookie may have: all but the comma and the semicolon (RFC 6265, 4.1.1). */
const encodeReserved = encodeExcept(":/?#[]@!$&'()*+=");

/**
 * Returns the header Cookie: the one of `headers`, then `cookies`, then those of the authentication, in one header (RFC 6265,
 * 5.4). Returns undefined where no cookie has a value.
 */
export function cookieHeader(
  { cookies = {} }: HttpExecution,
  lookup: Lookup,
  ownHeader: string | undefined,
  ofAuth: readonly Pair[],
): string | undefined {
  if (ofAuth.length === 0 && Object.keys(cookies).length === 0) return ownHeader;
  const ofHeader = (ownHeader ?? '').split(';').map((pair) => (pair.split('=')[0] ?? '').trim());
  const taken = new Set([...Object.keys(cookies), ...ofAuth.map(([name]) => name), ...ofHeader]);
  const pairs = Object.entries(cookies).flatMap(([name, template]) =>
    pairsOf(name, (isStyled(template) ? template : { value: template }) as CookieValue, lookup, taken),
  );
  const texts = [...pairs, ...ofAuth].map(([name, value]) => `${name}=${value}`);
  return joinOrUndefined([...(ownHeader === undefined || ownHeader.trim() === '' ? [] : [ownHeader]), ...texts], '; ');
}

/** Returns the cookies of one template, by OpenAPI's style form. Each repeated name and each member is a cookie of its own. */
function pairsOf(
  name: string,
  { value: template, explode = true, allow_reserved: allowReserved = false }: CookieValue,
  lookup: Lookup,
  taken: ReadonlySet<string>,
): readonly Pair[] {
  const value = renderValue(template, lookup);
  const encode = allowReserved ? encodeReserved : encodeText;
  if (value === null || value === undefined) return [];
  if (!isStructured(value)) return [[name, encode(asText(value))]];
  if (!explode) {
    const joined = joinOrUndefined(flatTexts(value).map(encode), ',');
    return joined === undefined ? [] : [[name, joined]];
  }
  if (isList(value)) return itemsOf(value).map((text): Pair => [name, encode(text)]);
  const members = membersOf(value);
  const clash = members.find(([key]) => key === '' || (key !== name && [key, encodeText(key)].some((written) => taken.has(written))))?.[0];
  if (clash !== undefined)
    refuseValue(
      placeholdersIn(template)[0] ?? name,
      clash === '' ? 'members with a name' : `members other than "${clash}", which is a cookie of this tool`,
    );
  return members.map(([key, text]): Pair => [encodeText(key), encode(text)]);
}

/** Returns a credential for use in a cookie as it is, or refuses it: what ends a cookie would begin another (RFC 6265, 4.1.1). */
export function requireCookieText(text: string, name: string): string {
  const isAllowed = /^("?)[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*\1$/.test(text);
  return isAllowed
    ? text
    : refuseValue(name, 'ASCII characters without blanks, quotes, commas, semicolons and backslashes, because it is a cookie');
}
