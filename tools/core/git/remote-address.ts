import path from 'node:path';

export type Address =
  /** A repository on this machine; absolute. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** `protocols`: what git may use on the way there, redirects included. */
  | { readonly kind: 'network'; readonly protocols: readonly string[] }
  /** `why` goes on from "which". */
  | { readonly kind: 'refused'; readonly why: string };

const protocolsOf: Readonly<Record<string, readonly string[]>> = {
  https: ['https'],
  http: ['http', 'https'],
  ssh: ['ssh'],
  'git+ssh': ['ssh'],
  'ssh+git': ['ssh'],
};

/** What the URL of a remote means to git (git-fetch, Git URLs), where relative paths start at `repository`. */
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
  // git decodes it, and what that gives is not worth guessing.
  if (rest.includes('%')) return { kind: 'refused', why: 'is a file URL with "%": write the path without file://' };
  return { kind: 'folder', folder: path.resolve(rest) };
}

function folderAddress(url: string, repository: string): Address {
  if (url.startsWith('~')) return { kind: 'refused', why: 'begins with "~": write the whole path' };
  return { kind: 'folder', folder: path.resolve(repository, url) };
}

/** git takes a text for `host:path` when a colon comes before the first slash. */
function isFolder(url: string): boolean {
  if (process.platform === 'win32' && /^[a-z]:[\\/]/i.test(url)) return true;
  const colon = url.indexOf(':');
  const slash = url.indexOf('/');
  return colon < 0 || (slash >= 0 && slash < colon);
}
