import { asText } from '../../../../kernel/index.ts';
import type { PathValue } from '../../definition/styled.ts';
import { flatTexts, isList, isStructured, itemsOf, joinOrUndefined, membersOf } from './items.ts';
import { type Encode, encodeExcept, encodeText, percentOf } from './percent-encode.ts';

/** Characters that a path segment may have beside letters, digits and `-._~` (RFC 3986, 3.3, pchar). */
const ofSegments = ":@!$&'()*+,;=";

/**
 * Returns a value as path text, by its style (OpenAPI 3, Parameter Object; RFC 6570, 3.2.2, 3.2.5 and 3.2.7). `check` refuses
 * texts that would leave the path. Returns undefined for a value with nothing to send: null, and an empty list or object.
 */
export function pathText(placeholder: string, value: unknown, description: PathValue, check: (text: string) => void): string | undefined {
  const { style = 'simple', explode = false } = description;
  if (value === null || value === undefined) return undefined;
  const key = encodeText(description.name ?? placeholder);
  const encode = encoderFor(description, isStructured(value), check);
  if (!isStructured(value)) return prefixed(style, key, encode(asText(value)));
  if (!explode) {
    const joined = joinOrUndefined(flatTexts(value).map(encode), ',');
    return joined === undefined ? undefined : prefixed(style, key, joined);
  }
  const texts = isList(value)
    ? itemsOf(value).map((text) => (style === 'matrix' ? withName(key, encode(text)) : encode(text)))
    : membersOf(value).map(([name, text]) =>
        style === 'matrix' ? withName(encode(name), encode(text)) : `${encode(name)}=${encode(text)}`,
      );
  const sign = { simple: ',', label: '.', matrix: ';' }[style];
  const joined = joinOrUndefined(texts, sign);
  return joined === undefined || style === 'simple' ? joined : sign + joined;
}

function prefixed(style: 'simple' | 'label' | 'matrix', key: string, text: string): string {
  if (style === 'matrix') return `;${withName(key, text)}`;
  return style === 'label' ? `.${text}` : text;
}

/** Returns `name=value`, and `name` alone for an empty value (RFC 6570, 3.2.7). */
function withName(name: string, text: string): string {
  return text === '' ? name : `${name}=${text}`;
}

/** Returns the encoder of items. It also encodes what separates them, so that splitting gives every item. */
function encoderFor(
  { style, explode, allow_reserved: allowReserved }: PathValue,
  hasItems: boolean,
  check: (text: string) => void,
): Encode {
  const separators = `${hasItems ? ',=' : ''}${style === 'matrix' ? ';' : ''}`;
  const encode =
    allowReserved === true ? encodeExcept([...ofSegments].filter((character) => !separators.includes(character)).join('')) : encodeText;
  return (text) => {
    check(text);
    const encoded = encode(text);
    return style === 'label' && hasItems && explode === true ? encoded.replaceAll('.', percentOf) : encoded;
  };
}
