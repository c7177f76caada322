import { domainToASCII, domainToUnicode } from 'node:url';
import { ToolkitError } from '../errors.ts';

/**
 * Maximum length of a URL's host as written, in UTF-16 units: the limit of DNS (RFC 1035, 2.3.4). Node's parser sorts the combining marks of a host
 * in quadratic time: hundreds of thousands would block the process for hours.
 */
export const maxHostCharacters = 253;

/** Matches protocols whose host is a name after any number of slashes ("special" in the URL Standard). */
const named = /^(?:https?|wss?|ftp):$/i;

/**
 * Parses a URL, relative to `base` if given. Returns undefined for an invalid one, or a host longer than `maxHostCharacters`. Replaces
 * URL.canParse, which in Node 20 rejects hosts with letters such as "ü" after many calls.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  if (hostExcess(text, base) !== undefined) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Parses a URL. Throws INVALID_PARAMETERS for a host that is too long, and Node's TypeError for an invalid URL. */
export function toUrl(text: string | URL, base?: string | URL): URL {
  refuseLongHost(text, base);
  return new URL(text, base);
}

/** Throws INVALID_PARAMETERS for a host longer than `maxHostCharacters`. */
export function refuseLongHost(text: string | URL, base?: string | URL): void {
  const excess = hostExcess(text, base);
  if (excess !== undefined) throw new ToolkitError('INVALID_PARAMETERS', `A URL cannot be used: ${excess}. Correct the URL.`);
}

/** Returns the excess of a host over `maxHostCharacters`, as words for a message; undefined if there is none. Does not parse. */
export function hostExcess(...given: readonly (string | URL | undefined)[]): string | undefined {
  for (const text of given) {
    const { length } = typeof text === 'string' && text.length > maxHostCharacters ? hostOf(text) : '';
    if (length > maxHostCharacters) return `expected a host of at most ${maxHostCharacters} characters, received one of ${length}`;
  }
  return undefined;
}

/** Returns the host as written, with everything that the parser might take as a part of it. */
function hostOf(text: string): string {
  // The parser ignores these characters.
  const plain = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '');
  const [, protocol = '', slashes = '', authority = ''] = /^([a-z][a-z\d+.-]*:)?([/\\]*)([^/\\?#]*)/i.exec(plain) ?? [];
  const isNamed = protocol === '' ? slashes.length > 1 : named.test(protocol) || slashes.length === 2;
  return isNamed ? authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '') : '';
}

/** Returns the ASCII form of a host; empty if it has none, or is longer than `maxHostCharacters`. */
export function asciiHost(host: string): string {
  return host.length > maxHostCharacters ? '' : domainToASCII(host);
}

/** Returns the Unicode form of an ASCII host; empty as for `asciiHost`. */
export function unicodeHost(host: string): string {
  return host.length > maxHostCharacters ? '' : domainToUnicode(host);
}
