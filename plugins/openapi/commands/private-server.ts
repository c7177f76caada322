import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../../kernel/index.ts';

/** Names that only networks without the public name service have (RFC 6761, RFC 6762, RFC 9476 and the root zone's reserved `internal`). */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/**
 * True for a URL that names a host on this machine or in a private network: such a server is reached only when the configuration names it.
 * Asks no name server: a public name of a private address is not noticed.
 */
export function isPrivateServer(url: string): boolean {
  const host = parseUrl(url)?.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === undefined) return false;
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return privateName.test(host) || !host.includes('.');
}
