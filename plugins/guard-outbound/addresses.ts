import ipaddr from 'ipaddr.js';
import { ToolkitError } from '../../kernel/index.ts';

/** What the operator allows beside public addresses: host names (`*.corp.example` for all below), addresses and CIDR ranges. */
export class AllowList {
  readonly #hosts: readonly string[];
  readonly #ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

  constructor(entries: readonly string[]) {
    const isAddress = (entry: string): boolean => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
    this.#hosts = entries.filter((entry) => !isAddress(entry)).map((entry) => entry.toLowerCase());
    this.#ranges = entries.filter(isAddress).map((entry) => (ipaddr.isValidCIDR(entry) ? ipaddr.parseCIDR(entry) : wholeAddress(entry)));
  }

  hasHost(host: string): boolean {
    const name = host.toLowerCase();
    return this.#hosts.some((entry) => entry === name || (entry.startsWith('*.') && name.endsWith(entry.slice(1))));
  }

  hasAddress(address: string): boolean {
    const parsed = ipaddr.process(address);
    return this.#ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range as never, bits));
  }
}

function wholeAddress(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address);
  return [parsed, parsed.kind() === 'ipv4' ? 32 : 128];
}

/** True for an address of the public internet: not loopback, private, link-local, shared, multicast, reserved or a transition range. */
export function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === 'unicast';
}

export function blocked(host: string, address: string): ToolkitError {
  const range = ipaddr.process(address).range();
  const what = host === address ? `"${host}"` : `"${host}" (${address})`;
  return new ToolkitError(
    'OUTBOUND_BLOCKED',
    `Requests to ${what} are blocked: it is a ${range} address. If tools may reach it, add the host to "allow" of guard-outbound (in standard(): allowHosts).`,
    { host },
  );
}
