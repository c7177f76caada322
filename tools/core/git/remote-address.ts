import path from 'node:path';

export type Address =
  /** Repository on this machine; absolute path. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** `protocols`: protocols that git may use, redirects included. */
  | { readonly kind: 'network'; readonly protocols: readonly string[] }
  /** `why` continues the word "which". */
  | { readonly kind: 'refused'; readonly why: string };

const protocolsOf: Readonly<Record<string, readonly string[]>> = {
  https: ['https'],
  http: ['http', 'https'],
  ssh: ['ssh'],
  'git+ssh': ['ssh'],
  'ssh+git': ['ssh'],
};

/** Parses the URL of a remote as git does (git-fetch, Git URLs). Relative paths start at `repository`. */
export function addressOf(url: string, repository: string): Address {
  const [, helper] = /^([\w+.-]+)::/.exec(url) ?? [];
  if (helper !== undefined) return { kind: 'refused', why: `would run the program git-remote-${helper}` };
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? [];
  if (scheme === 'file') return fileAddress(rest);
  if (scheme !== undefined) return network(scheme);
  return isFolder(url) ? folderAddress(url, repository) : { kind: 'network', protocols: ['ssh'] };
}

function network(scheme: string): Address {
  const protocols = Object.hasOwn(protocolsOf, scheme) ? protocolsOf[scheme] : undefined;
  return protocols === undefined
    ? { kind: 'refused', why: `uses the protocol ${scheme}, and not https, http, ssh or a folder` }
    : { kind: 'network', protocols };
}

function fileAddress(rest: string): Address {
  if (!rest.startsWith('/')) return { kind: 'refused', why: 'is no file URL of this machine: write file:///path' };
  // git decodes the path, with results that are hard to predict.
  if (rest.includes('%')) return { kind: 'refused', why: 'is a file URL with "%": write the path without file://' };
  return { kind: 'folder', folder: path.resolve(rest) };
}

function folderAddress(url: string, repository: string): Address {
  if (url.startsWith('~')) return { kind: 'refused', why: 'begins with "~": write the whole path' };
  return { kind: 'folder', folder: path.resolve(repository, url) };
}

/** Returns true for a path. git reads a text as `host:path` when a colon comes before the first slash. */
function isFolder(url: string): boolean {
  if (process.platform === 'win32' && /^[a-z]:[\\/]/i.test(url)) return true;
  const colon = url.indexOf(':');
  const slash = url.indexOf('/');
  return colon < 0 || (slash >= 0 && slash < colon);
}
