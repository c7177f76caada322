import net from 'node:net';
import { excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { isLoopback } from '../../shared/http/loopback.ts';

const words: ReadonlySet<string> = new Set(['loopback', 'workers']);

/** The receivers of `traceparent`. */
export class Propagation {
  readonly #names: ReadonlySet<string>;
  /** Ends of host names, such as `.example.com`. */
  readonly #domains: readonly string[];

  /**
   * `hosts`: names, `*.example.com` for subdomains, `loopback` for this machine, `workers` for the code and programs of tools. Throws PLUGIN_INVALID
   * for anything else, which would never match.
   */
  constructor(hosts: readonly string[]) {
    const entries = hosts.map(readEntry);
    this.#names = new Set(entries.filter((entry) => !entry.startsWith('.')));
    this.#domains = entries.filter((entry) => entry.startsWith('.'));
  }

  includes(receiver: URL | 'workers'): boolean {
    if (receiver === 'workers') return this.#names.has(receiver);
    const { hostname } = receiver;
    if (this.#names.has('loopback') && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))) return true;
    return (!words.has(hostname) && this.#names.has(hostname)) || this.#domains.some((domain) => hostname.endsWith(domain));
  }
}

/** Returns an entry as it stands in a URL: lower case, ASCII, IPv6 in brackets. */
function readEntry(entry: string): string {
  if (words.has(entry)) return entry;
  const isDomain = entry.startsWith('*.');
  const name = isDomain ? entry.slice(2) : entry;
  const host = net.isIPv6(name) ? `[${name}]` : name;
  const url = /[/\\?#@*\s]|:\d*$/.test(host) ? undefined : parseUrl(`http://${host}/`);
  if (url !== undefined && url.hostname !== '' && url.port === '') return isDomain ? `.${url.hostname}` : url.hostname;
  const message = `expected a host name without scheme, port and path, "*." and a name for its subdomains, an address, "loopback" or "workers", received "${excerpt(entry)}"`;
  throw new ToolkitError('PLUGIN_INVALID', `The options of plugin "telemetry" are wrong: propagate ${message}.`, {
    issues: [{ path: 'propagate', message }],
  });
}
