import { asciiHost, unicodeHost } from '../../../kernel/index.ts';
import { firstNonUtf8 } from '../../../plugins/shared/text/utf8.ts';
import { malformed, type ParameterText, refuseHalfSurrogates } from './malformed.ts';

interface EncodeParameters {
  readonly text: string;
  /** False for a whole URL, whose delimiters and escapes stay. */
  readonly component: boolean;
}

/** Percent-encodes a text in UTF-8 (RFC 3986, 2). Throws INVALID_PARAMETERS for half of a surrogate pair and an invalid host. */
export function encode({ text, component }: EncodeParameters): { encoded: string } {
  refuseHalfSurrogates({ parameter: 'text', text });
  // encodeURIComponent leaves some characters that RFC 3986, 2.2, reserves.
  return { encoded: component ? escapeAll(encodeURIComponent(text), /[!'()*]/g) : encodeWhole(text) };
}

function encodeWhole(text: string): string {
  const { before, host, behind } = partsOf(text);
  const [main = '', ...fragment] = behind.split('#');
  const start = `${encodePart(before)}${encodeHost(host, text, before.length)}${encodePart(main)}`;
  return fragment.length === 0 ? start : `${start}#${encodePart(fragment.join('%23'))}`;
}

/** Encodes the host that stands at `index` of the text. */
function encodeHost(host: string, text: string, index: number): string {
  const ascii = isAscii(host) ? host : asciiHost(host);
  // The characters of RFC 3986, 3.2.2, and the brackets and colons of an IPv6 address.
  const foreign = ascii.search(/[^\w.~!$&'()*+,;=%:[\]-]/);
  if (foreign < 0 && (ascii !== '' || host === '')) return ascii;
  const advice = 'Correct the host, or set component to true for a text that is no URL.';
  throw malformed({ parameter: 'text', text }, index + Math.max(0, foreign), 'the name of a host', advice);
}

/** Encodes like encodeURI, but keeps the `%` of escapes. */
function encodePart(part: string): string {
  return encodeURI(part).replace(/%25(?=[\da-f]{2})/gi, '%');
}

interface DecodeParameters {
  readonly encoded: string;
  readonly component: boolean;
}

/** Reverses `encode`. Throws INVALID_PARAMETERS for a `%` that begins no escape, and for escapes that are not UTF-8. */
export function decode({ encoded, component }: DecodeParameters): { text: string } {
  const input = { parameter: 'encoded', text: encoded };
  refuseBrokenEscapes(input);
  const text = encoded.replace(/(?:%[\da-f]{2})+/gi, (escapes, start: number) => {
    const decoded = decodeEscapes(input, escapes, start);
    return component ? decoded : escapeAll(decoded, /[;/?:@&=+$,#%\p{Cc}]/gu);
  });
  if (component) return { text };
  const { before, host, behind } = partsOf(text);
  return { text: `${before}${unicodeHost(host) || host}${behind}` };
}

function refuseBrokenEscapes(input: ParameterText): void {
  const start = input.text.search(/%(?![\da-f]{2})/i);
  if (start < 0) return;
  const index = start + (/^[\da-f]$/i.test(input.text.charAt(start + 1)) ? 2 : 1);
  throw malformed(
    input,
    index,
    'two hexadecimal digits behind "%"',
    'For a percent sign write %25. If nothing is encoded, it needs no decoding.',
  );
}

function decodeEscapes(input: ParameterText, escapes: string, start: number): string {
  const bytes = Buffer.from(escapes.replaceAll('%', ''), 'hex');
  const invalidIndex = firstNonUtf8(bytes);
  // Own text: UTF-8, as the line above has found
  if (invalidIndex === undefined) return bytes.toString();
  const advice = 'It was encoded from another encoding, such as Latin-1, or cut. Ask for it in UTF-8.';
  throw malformed(
    input,
    start + 3 * invalidIndex,
    'the bytes of a character in UTF-8',
    advice,
    `"${escapes.slice(3 * invalidIndex, 3 * invalidIndex + 3)}"`,
  );
}

/** Splits a URL at its host. Without a host `behind` has the whole URL. */
function partsOf(url: string): { before: string; host: string; behind: string } {
  const pattern = /^((?:[a-z][a-z\d+.-]*:)?\/\/(?:[^/?#]*@)?)([^/?#@]*?)((?::\d*)?(?:[/?#][\s\S]*)?)$/i;
  const [, before = '', host = '', behind = url] = pattern.exec(url) ?? [];
  return { before, host, behind };
}

function escapeAll(text: string, characters: RegExp): string {
  return text.replace(characters, (character) => Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&'));
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7F]/.test(text);
}
