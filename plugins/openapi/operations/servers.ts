import { isPlainObject, toUrl } from '../../../kernel/index.ts';
import { isUrl } from '../document/reference.ts';
import { defined, memberOf, textOf } from './members.ts';
import type { Server } from './operation.ts';

type Variables = Server['variables'];

/** Maximum servers of a list that are read. */
const maxServers = 50;

/** Maximum length of a server's URL, in characters. */
const maxUrlLength = 2048;

/** Servers that were read, by their list: many paths may be one path item. */
const known = new WeakMap<object, Map<string, readonly Server[]>>();

/**
 * Returns the servers of an object of the document, absolute. Relative ones are relative to the document's URL (OAS 3.0.4, Server Object); a
 * document from a file has none. One without TLS comes last where the list has the same with TLS. Undefined where the object names no servers.
 */
export function readServers(value: unknown, location: string): readonly Server[] | undefined {
  const list = memberOf(value, 'servers');
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const byLocation = known.get(list) ?? new Map<string, readonly Server[]>();
  known.set(list, byLocation);
  const servers = byLocation.get(location) ?? serversOf3(list.slice(0, maxServers), location);
  byLocation.set(location, servers);
  return servers;
}

function serversOf3(list: readonly unknown[], location: string): readonly Server[] {
  const servers = list.flatMap((entry) => {
    const url = memberOf(entry, 'url');
    if (typeof url !== 'string' || url.length > maxUrlLength) return [];
    const variables = variablesOf(entry, url);
    const absolute = absoluteUrl(url.trim(), variables, location);
    return absolute === undefined ? [] : [defined<Server>({ url: absolute, description: textOf(entry, 'description'), variables })];
  });
  const urls = new Set(servers.map(({ url }) => url));
  const hasTlsTwin = ({ url }: Server): boolean => url.startsWith('http://') && urls.has(`https://${url.slice('http://'.length)}`);
  return [...servers.filter((server) => !hasTlsTwin(server)), ...servers.filter(hasTlsTwin)];
}

/** Returns the server of a document that names none: the root of its own host. */
export function defaultServers(location: string): readonly Server[] {
  return isUrl(location) ? [{ url: toUrl(location).origin, variables: {} }] : [];
}

/** Returns the first server that has only a path; undefined for the root. */
export function relativeServer(value: unknown): string | undefined {
  const servers = memberOf(value, 'servers');
  const urls = Array.isArray(servers) ? servers.slice(0, maxServers).map((server) => textOf(server, 'url')) : [textOf(value, 'basePath')];
  return urls.find((url) => url !== undefined && url.length > 1);
}

/** Returns the servers of a document or operation of 2.0: its schemes with host and base path of the document. HTTPS is first. */
export function serversOf2(root: unknown, schemesOf: unknown, location: string): readonly Server[] {
  const own = isUrl(location) ? toUrl(location) : undefined;
  const written = textOf(root, 'host')?.trim();
  const host = written === undefined ? own?.host : withoutEndSlashes(written.replace(/^https?:\/\//i, ''));
  if (host === undefined || host.length > maxUrlLength) return [];
  const basePath = withoutEndSlashes(textOf(root, 'basePath')?.trim() ?? '');
  const listed = memberOf(schemesOf, 'schemes') ?? memberOf(root, 'schemes');
  const schemes = Array.isArray(listed) ? listed : [];
  const usable = ['https', 'http'].filter((scheme) => schemes.includes(scheme) || schemes.includes(scheme.toUpperCase()));
  const fallback = own === undefined ? 'https' : own.protocol.slice(0, -1);
  return (usable.length === 0 ? [fallback] : usable).map((scheme) => {
    const url = `${scheme}://${host}${basePath === '' || basePath.startsWith('/') ? '' : '/'}${basePath}`;
    return { url, variables: variablesOf(undefined, url) };
  });
}

function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

/** Returns the declared variables, and those that the URL names without declaring them. */
function variablesOf(server: unknown, url: string): Variables {
  const declared = memberOf(server, 'variables');
  const named = [...url.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => [name ?? '', {}] as const);
  const entries = Object.entries(isPlainObject(declared) ? declared : {}).map(([name, variable]) => [name, variableOf(variable)] as const);
  return Object.fromEntries([...named, ...entries]);
}

function variableOf(variable: unknown): Variables[string] {
  const list = memberOf(variable, 'enum');
  const values = Array.isArray(list) ? list.map(asText).filter((value) => value !== undefined) : [];
  return defined<Variables[string]>({
    default: asText(memberOf(variable, 'default')),
    enum: values.length === 0 ? undefined : values,
    description: textOf(variable, 'description'),
  });
}

/** Returns a text; YAML reads unquoted ports and versions as numbers. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function absoluteUrl(url: string, variables: Variables, location: string): string | undefined {
  const withDefaults = url.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.default ?? 'x') : 'x',
  );
  if (isUrl(withDefaults)) return url;
  if (withDefaults.startsWith('//')) return `https:${url}`;
  // Another scheme, such as that of web sockets.
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(withDefaults)) return undefined;
  // A host without scheme.
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(withDefaults)) return `https://${url}`;
  if (!isUrl(location)) return undefined;
  const { origin, pathname } = toUrl(location);
  if (url.startsWith('/')) return origin + url;
  return `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}${url.startsWith('./') ? url.slice(2) : url}`;
}
