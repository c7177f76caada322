import { type DecodedText, decodeAs, isEncoding, strictUtf8 } from '../../../plugins/shared/text/utf8.ts';
import type { MediaType } from './media-type.ts';

/** Bytes of a page in which its encoding must be declared (HTML Standard, 13.2.3.2). */
const prescanBytes = 1024;

/**
 * Decodes a text. Takes the encoding from, in this order: a byte order mark, the Content-Type, the declaration in the markup,
 * UTF-8 if the bytes are valid UTF-8, windows-1252. Drops a character that is cut off at the end; other invalid bytes become
 * U+FFFD and are counted.
 */
export function decodeText(bytes: Uint8Array, { charset, kind }: Pick<MediaType, 'charset' | 'kind'>): DecodedText {
  const candidates = [byteOrderMark(bytes), charset, declaredIn(bytes, kind), isUtf8(bytes) ? 'utf-8' : 'windows-1252'];
  // The name of the encoding is unknown: the next candidate is tried.
  return decodeAs(
    bytes,
    candidates.find((label) => label !== undefined && isEncoding(label)),
    { isCut: true },
  );
}

/** Returns true for NUL bytes, which no text has, except in UTF-16 and UTF-32. */
export function looksBinary(bytes: Uint8Array, charset = ''): boolean {
  return bytes.includes(0) && byteOrderMark(bytes)?.startsWith('utf-16') !== true && !/^(utf-16|ucs-2)/i.test(charset);
}

/** Returns true for valid UTF-8, also when a character is cut off at the end. */
export function isUtf8(bytes: Uint8Array): boolean {
  return strictUtf8(bytes, { isCut: true }) !== undefined;
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return byteOrderMark(bytes) !== undefined;
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/**
 * Returns the encoding from `<meta charset>`, its http-equiv form, or an XML declaration. A declared UTF-16 counts as UTF-8:
 * the declaration itself was readable as ASCII.
 */
function declaredIn(bytes: Uint8Array, kind: MediaType['kind']): string | undefined {
  const start = Buffer.from(bytes.subarray(0, prescanBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const inXml = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1];
  const label = (kind === 'html' ? declaredInMeta(start) : undefined) ?? inXml;
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** Returns the encoding that a meta element declares. Ignores "charset=" in the text of a description. */
function declaredInMeta(start: string): string | undefined {
  for (const [tag] of start.matchAll(/<meta[\s/][^>]*/gi)) {
    const ofTag = /[\s/"']charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(tag.replace(/\bcontent\s*=\s*("[^"]*"|'[^']*')/i, ''))?.[1];
    const ofType = /http-equiv\s*=\s*["']?content-type\b/i.test(tag) ? /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(tag)?.[1] : undefined;
    if ((ofTag ?? ofType) !== undefined) return ofTag ?? ofType;
  }
  return undefined;
}
