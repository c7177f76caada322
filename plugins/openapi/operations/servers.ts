import { isPlainObject } from '../../../kernel/index.ts';
import { isUrl } from '../document/reference.ts';
import type { Server } from './operation.ts';
import { defined, memberOf, textOf } from './read-context.ts';

type Variables = Server['variables'];

/**
 * Returns the servers of an object of the document, absolute. Relative ones are relative to the document's URL (OAS 3.0.4, Server Object); a
 * document from a file has none. Undefined where the object names no servers.
 */
export function readServers(value: unknown, location: string): readonly Server[] | undefined {
  const list = memberOf(value, 'servers');
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return list.flatMap((entry) => {
    const url = typeof memberOf(entry, 'url') === 'string' ? String(memberOf(entry, 'url')).trim() : undefined;
    if (url === undefined) return [];
    const variables = variablesOf(entry, url);
    const absolute = absoluteUrl(url, variables, location);
    return absolute === undefined ? [] : [defined<Server>({ url: absolute, description: textOf(entry, 'description'), variables })];
  });
}

/** Returns the server of a document that names none: the root of its own host. */
export function defaultServers(location: string): readonly Server[] {
  return isUrl(location) ? [{ url: new URL(location).origin, variables: {} }] : [];
}

/** Returns the servers of a document or operation of 2.0: its schemes with host and base path of the document. HTTPS is first. */
export function serversOf2(root: unknown, schemesOf: unknown, location: string): readonly Server[] {
  const own = isUrl(location) ? new URL(location) : undefined;
  const host =
    textOf(root, 'host')
      ?.trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/+$/, '') ?? own?.host;
  if (host === undefined) return [];
  const basePath = textOf(root, 'basePath')?.trim().replace(/\/+$/, '') ?? '';
  const listed = memberOf(schemesOf, 'schemes') ?? memberOf(root, 'schemes');
  const schemes = (Array.isArray(listed) ? listed : []).map((scheme) => String(scheme).toLowerCase());
  const usable = ['https', 'http'].filter((scheme) => schemes.includes(scheme));
  const fallback = own === undefined ? 'https' : own.protocol.slice(0, -1);
  return (usable.length === 0 ? [fallback] : usable).map((scheme) => {
    const url = `${scheme}://${host}${basePath === '' || basePath.startsWith('/') ? '' : '/'}${basePath}`;
    return { url, variables: variablesOf(undefined, url) };
  });
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
  // A scheme that is no HTTP, such as that of web sockets.
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(withDefaults)) return undefined;
  // A host without scheme.
  if (/^[\w-]+(\.[\w-]+)+(:\d+)?(\/|$)/.test(withDefaults)) return `https://${url}`;
  if (!isUrl(location)) return undefined;
  const { origin, pathname } = new URL(location);
  if (url.startsWith('/')) return origin + url;
  return `${origin}${pathname.replace(/[^/]*$/, '')}${url.replace(/^\.\//, '')}`;
}
