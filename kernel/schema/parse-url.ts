import { domainToASCII, domainToUnicode } from 'node:url';
import { ToolkitError } from '../errors.ts';

/**
 * Longest host of a URL, in UTF-16 units as it is written: no name of DNS is longer (RFC 1035, 2.3.4). The parser of Node puts the marks of a
 * host in order, which takes the square of their number: hours for some hundred thousand, in which nothing else runs.
 */
export const maxHostCharacters = 253;

/** Protocols of which the URL Standard reads the host as a name ("special" there), behind any number of slashes. */
const named = /^(?:https?|wss?|ftp):$/i;

/**
 * The URL, relative to a base where one is given; undefined for a text that is none, or that has a longer host than `maxHostCharacters`. In
 * place of URL.canParse, which in Node 20 says no to a host with letters such as "ü" once it was called often.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  if (hostExcess(text, base) !== undefined) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Parses a text that is known to be a URL. Throws INVALID_PARAMETERS for a host that is too long, and the TypeError of Node for no URL. */
export function toUrl(text: string | URL, base?: string | URL): URL {
  refuseLongHost(text, base);
  return new URL(text, base);
}

/** Throws INVALID_PARAMETERS for a URL with a longer host than `maxHostCharacters`. */
export function refuseLongHost(text: string | URL, base?: string | URL): void {
  const excess = hostExcess(text, base);
  if (excess !== undefined) throw new ToolkitError('INVALID_PARAMETERS', `A URL cannot be used: ${excess}. Correct the URL.`);
}

/** The excess of a host over `maxHostCharacters`, in words for a message, found without parsing; undefined where there is none. */
export function hostExcess(...given: readonly (string | URL | undefined)[]): string | undefined {
  for (const text of given) {
    const { length } = typeof text === 'string' && text.length > maxHostCharacters ? hostOf(text) : '';
    if (length > maxHostCharacters) return `expected a host of at most ${maxHostCharacters} characters, received one of ${length}`;
  }
  return undefined;
}

/** The host as it is written, with whatever else the parser could take for a part of it. */
function hostOf(text: string): string {
  // The parser passes over these wherever they stand.
  const plain = text.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '');
  const [, protocol = '', slashes = '', authority = ''] = /^([a-z][a-z\d+.-]*:)?([/\\]*)([^/\\?#]*)/i.exec(plain) ?? [];
  const isNamed = protocol === '' ? slashes.length > 1 : named.test(protocol) || slashes.length === 2;
  return isNamed ? authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '') : '';
}

/** The ASCII form of the name of a host; empty for one that has none, or is longer than `maxHostCharacters`. */
export function asciiHost(host: string): string {
  return host.length > maxHostCharacters ? '' : domainToASCII(host);
}

/** The name of a host with its letters, where its ASCII form is given; empty as for `asciiHost`. */
export function unicodeHost(host: string): string {
  return host.length > maxHostCharacters ? '' : domainToUnicode(host);
}
