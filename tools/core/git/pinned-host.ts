import { type OutboundAddresses, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { Setting } from './settings.ts';

const standardPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ssh:': 22, 'git+ssh:': 22, 'ssh+git:': 22 };

/**
 * Returns settings that restrict git to the host and to the addresses that were looked up for it. Throws OUTBOUND_BLOCKED for
 * an address that tools may not reach. Accepts a name that only ssh can resolve (ssh_config, Host), and one that only a proxy
 * can resolve.
 */
export async function pinned(url: string, protocols: readonly string[], addressesOf: OutboundAddresses): Promise<readonly Setting[]> {
  const { host, port } = placeOf(url);
  const found = await addressesOf(host, port).catch((error: unknown) => {
    if (ToolkitError.is(error) && error.code === 'NOT_FOUND') return [];
    throw error;
  });
  if (protocols.includes('ssh')) return [];
  const pins = found.length === 0 ? [] : [`${host}:${port}:${found.map(({ address }) => address).join(',')}`];
  return [{ key: 'http.followRedirects', value: 'false' }, ...pins.map((value) => ({ key: 'http.curloptResolve', value }))];
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? parseUrl(url) : undefined;
  if (address !== undefined) return { host: address.hostname, port: Number(address.port) || (standardPorts[address.protocol] ?? 22) };
  // user@host:path, where brackets hold a port or an IPv6 address (git-fetch, Git URLs).
  const [, bracketed, plain = ''] = /^(?:[^@/]*@)?(?:\[([^\]]+)\]|([^:/]*)):/.exec(url) ?? [];
  const [, name, port] = /^([^:]+):(\d+)$/.exec(bracketed ?? '') ?? [];
  return { host: name ?? bracketed ?? plain, port: Number(port ?? 22) };
}
