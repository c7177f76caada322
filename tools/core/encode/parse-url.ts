import { hostExcess, ToolkitError, unicodeHost, parseUrl as urlOf } from '../../../kernel/index.ts';

type QueryValue = string | readonly string[];

interface UrlParts {
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  /** Null for the default port of the protocol. */
  readonly port: number | null;
  readonly path: string;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly fragment: string;
  readonly username: string;
  /** Absent without a password. */
  readonly has_password?: true;
  /** Absent when it equals `hostname`. */
  readonly unicode_hostname?: string;
}

/** Splits an absolute URL into its parts (URL Standard). A password appears neither in the result nor in an error. Throws INVALID_PARAMETERS. */
export function parseUrl({ url: text }: { readonly url: string }): UrlParts {
  const url = parseAbsoluteUrl(text);
  // In a data URL the text after the ? belongs to the data (RFC 2397). It has no host.
  const isData = url.protocol === 'data:' && !url.pathname.startsWith('/');
  const written = encodedPath(url);
  const path = isData ? `${written}${url.search}` : withoutPassword(written);
  const hasPassword = url.password !== '' || (!isData && path !== written);
  const unicode = unicodeHost(url.hostname);
  return {
    protocol: url.protocol.slice(0, -1),
    host: url.host,
    hostname: url.hostname,
    port: url.port === '' ? null : Number(url.port),
    path,
    query: isData ? {} : queryOf(url.searchParams),
    fragment: url.hash.slice(1),
    username: decodedIfPossible(url.username),
    ...(hasPassword ? { has_password: true } : {}),
    ...(unicode === '' || unicode === url.hostname ? {} : { unicode_hostname: unicode }),
  };
}

function parseAbsoluteUrl(text: string): URL {
  const control = text.search(/[\t\r\n]/);
  // The parser would silently remove these characters.
  if (control >= 0) throw badUrl(`expected one line without tabs, received a line break or a tab at character ${control + 1}. Take it out`);
  // A host with a port looks like a protocol.
  const [, before] = /^\s*([^:/?#]*):\d/.exec(text) ?? [];
  const isHostAndPort = before !== undefined && (before.includes('.') || before.toLowerCase() === 'localhost');
  if (isHostAndPort || !/^\s*[a-z][a-z\d+.-]*:/i.test(text)) {
    throw badUrl('expected an absolute URL, received one without a protocol. Put it in front, as in https://example.com/a?b=c');
  }
  const excess = hostExcess(text);
  if (excess !== undefined) throw badUrl(`${excess}. Correct it`);
  const url = urlOf(text);
  if (url !== undefined) return url;
  throw badUrl('expected a URL such as https://example.com:8443/a?b=c, received one with a host or port that cannot be. Correct it');
}

/** Encodes the path by the current URL Standard. Older versions of Node leave a ^ and the last space of an opaque path. */
function encodedPath({ pathname, search, hash }: URL): string {
  if (pathname.startsWith('/')) return pathname.replaceAll('^', '%5E');
  const isCut = pathname.endsWith(' ') && (search !== '' || hash !== '');
  return isCut ? `${pathname.slice(0, -1)}%20` : pathname;
}

/** Removes the password of a URL inside the path, as in jdbc:postgresql://user:password@host/. */
function withoutPassword(path: string): string {
  return path.replace(/(\/\/[^/?#:@]*):[^/?#@]*@/g, '$1@');
}

/** Returns the query by key. A repeated key has the list of its values. */
function queryOf(parameters: URLSearchParams): Record<string, QueryValue> {
  const values = new Map<string, string[]>();
  for (const [key, value] of parameters) {
    const list = values.get(key);
    if (list === undefined) values.set(key, [value]);
    else list.push(value);
  }
  // `fromEntries` also defines own members for names such as __proto__.
  return Object.fromEntries(Array.from(values, ([key, list]) => [key, list.length === 1 ? (list[0] ?? '') : list]));
}

function decodedIfPossible(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Builds INVALID_PARAMETERS without the URL, which may hold a password. */
function badUrl(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "url": ${message}.`, { issues: [{ path: 'url', message }] });
}
