import net from 'node:net';
import { excerpt, parseUrl, ToolkitError } from '../../kernel/index.ts';
import type { Target } from './host-list.ts';

/**
 * Returns the target of a connection without a URL. The host is normalized as in a URL: lower case, Punycode, `127.1` as
 * `127.0.0.1`. Throws INVALID_PARAMETERS for an invalid host.
 */
export function parseTarget(host: string, port: number): Target {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (net.isIP(bare) !== 0) return { host: bare, port };
  // No characters that have a meaning in a URL beyond the host.
  const url = /^[^\s\p{Cc}*/\\:@?#[\]%]+$/u.test(host) ? parseUrl(`http://${host}`) : undefined;
  if (url !== undefined) return { host: url.hostname, port };
  const message = `expected the name or the address of a host, received "${excerpt(host)}"`;
  throw new ToolkitError('INVALID_PARAMETERS', `No connection can be made: ${message}.`, { issues: [{ path: 'host', message }] });
}
