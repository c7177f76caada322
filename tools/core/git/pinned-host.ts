import { type OutboundAddresses, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { Setting } from './settings.ts';

const standardPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'ssh:': 22, 'git+ssh:': 22, 'ssh+git:': 22 };

/**
 * Settings that keep git to the addresses of the host that were looked up, and to that host. Throws OUTBOUND_BLOCKED for one that tools may
 * not reach. A name of which only ssh knows the address (ssh_config, Host) passes; so does one that only a proxy can find.
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
  // user@host:path, where brackets hold a port or an address of IPv6 (git-fetch, Git URLs).
  const [, bracketed, plain = ''] = /^(?:[^@/]*@)?(?:\[([^\]]+)\]|([^:/]*)):/.exec(url) ?? [];
  const [, name, port] = /^([^:]+):(\d+)$/.exec(bracketed ?? '') ?? [];
  return { host: name ?? bracketed ?? plain, port: Number(port ?? 22) };
}
