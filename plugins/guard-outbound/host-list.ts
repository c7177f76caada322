import net from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseUrl } from '../../kernel/index.ts';

/** The destination of a connection. */
export interface Target {
  /** As in a URL, without brackets. */
  readonly host: string;
  readonly port: number;
}

interface HostEntry {
  /** A name in lower case and Punycode, with `*.` before it for all subdomains. Either `name` or `range` is set. */
  readonly name?: string;
  readonly range?: readonly [ipaddr.IPv4 | ipaddr.IPv6, number];
  /** @default every port */
  readonly port?: number;
}

/** A list of hosts by name, address or range, each with or without a port. */
export class HostList {
  readonly #entries: readonly HostEntry[];

  constructor(entries: readonly HostEntry[]) {
    this.#entries = entries;
  }

  /** True when the list has the name of the host, or its address where the host is written as one. */
  has(target: Target): boolean {
    return this.hasName(target) || (net.isIP(target.host) !== 0 && this.hasAddress(target.host, target.port));
  }

  hasName({ host, port }: Target): boolean {
    return this.#entries.some(
      ({ name, port: only = port }) =>
        only === port && name !== undefined && (name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)))),
    );
  }

  hasAddress(address: string, port: number): boolean {
    const parsed = ipaddr.process(address);
    return this.#entries.some(({ range, port: only = port }) => only === port && range !== undefined && isInRange(parsed, range));
  }
}

/**
 * Parses `shop.example`, `*.corp.example`, `10.0.0.1`, `10.0.0.0/8`, `fd00::1` or `fd00::/8`, each with or without a port:
 * `shop.example:8080`, `[fd00::1]:8080`. Returns undefined for anything else.
 */
export function parseHostEntry(entry: string): HostEntry | undefined {
  const range = parseRange(entry);
  if (range !== undefined) return { range };
  const [, inBrackets, unbracketed = '', digits] = /^(?:\[([^[\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  const port = digits === undefined ? {} : { port: Number(digits) };
  if (port.port !== undefined && (port.port < 1 || port.port > 65_535)) return undefined;
  const rangeWithPort = parseRange(inBrackets ?? unbracketed);
  if (rangeWithPort !== undefined) return { range: rangeWithPort, ...port };
  const [, wildcard = '', name = ''] = /^(\*\.)?([^\s*/\\:@?#[\]%]+)$/.exec(unbracketed) ?? [];
  const url = parseUrl(`http://${name}`);
  return url === undefined ? undefined : { name: `${wildcard}${url.hostname}`, ...port };
}

function parseRange(text: string): HostEntry['range'] {
  if (ipaddr.isValid(text)) {
    const address = ipaddr.process(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const [address, bits] = ipaddr.parseCIDR(text);
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, [range, bits]: NonNullable<HostEntry['range']>): boolean {
  return range.kind() === address.kind() && address.match(range as never, bits);
}
