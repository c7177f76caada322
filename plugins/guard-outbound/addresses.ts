import ipaddr from 'ipaddr.js';
import { excerpt, ToolkitError } from '../../kernel/index.ts';

/** Addresses of the public range that only a machine of that cloud reaches, and that hand out its credentials or settings. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** What the operator allows beside public addresses: host names (`*.corp.example` for all below), addresses and CIDR ranges. */
export class AllowList {
  readonly #hosts: readonly string[];
  readonly #ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(entries: readonly string[]) {
    const isAddress = (entry: string): boolean => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
    this.#hosts = entries.filter((entry) => !isAddress(entry)).map(hostEntry);
    this.#ranges = entries.filter(isAddress).map((entry) => (ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : wholeAddress(entry)));
  }

  /** `host` as in a URL. */
  hasHost(host: string): boolean {
    return this.#hosts.some((entry) => entry === host || (entry.startsWith('*.') && host.endsWith(entry.slice(1))));
  }

  hasAddress(address: string): boolean {
    const parsed = ipaddr.process(address);
    return this.#ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as never, bits));
  }
}

function rangeOf(address: string): string {
  const parsed = ipaddr.process(address);
  if (platformAddresses.has(parsed.toString())) return 'cloud platform';
  const range = parsed.range();
  // Of IPv6 only 2000::/3 is in use (RFC 4291, 2.4 and the IANA registry); what remains holds forms such as ::127.0.0.1.
  const isUnused = parsed instanceof ipaddr.IPv6 && range === 'unicast' && !parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  return isUnused ? 'reserved' : range;
}

/** The name as it appears in a URL: lower case, and non-ASCII labels in Punycode. Throws PLUGIN_INVALID. */
function hostEntry(entry: string): string {
  const [, wildcard = '', name = ''] = /^(\*\.)?([^\s*/\\:@?#[\]]+)$/.exec(entry) ?? [];
  if (!URL.canParse(`http://${name}`)) throw wrongEntry(entry);
  return `${wildcard}${new URL(`http://${name}`).hostname}`;
}

function wrongEntry(entry: string): ToolkitError {
  const message = `expected a host name without scheme and port, "*." and a name, an address, or a CIDR range such as 10.0.0.0/8, received "${excerpt(entry)}"`;
  return new ToolkitError('PLUGIN_INVALID', `The options of plugin "guard-outbound" are wrong: allow ${message}.`, {
    issues: [{ path: 'allow', message }],
  });
}

function wholeAddress(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** True for an address of the public internet: not loopback, private, link-local, shared, multicast, reserved or a transition range. */
export function isPublic(address: string): boolean {
  return rangeOf(address) === 'unicast';
}

export function blocked(host: string, address: string): ToolkitError {
  const range = rangeOf(address);
  const what = host === address ? `"${host}"` : `"${host}" (${address})`;
  return new ToolkitError(
    'OUTBOUND_BLOCKED',
    `Requests to ${what} are blocked: it is a ${range} address. If tools may reach it, add the host to "allow" of guard-outbound (in standard(): allowHosts).`,
    { host },
  );
}
