import ipaddr from 'ipaddr.js';
import { ToolkitError } from '../../kernel/index.ts';

/** Addresses of the public range that only machines of a cloud reach, and that hand out its credentials or settings. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** The prefix under which an IPv6 network without IPv4 reaches IPv4 addresses (RFC 6052, 2.1). */
const translatedPrefix = ipaddr.IPv6.parse('64:ff9b::');

/** True for an address of the public internet: not loopback, private, link-local, shared, multicast, reserved or a transition range. */
export function isPublic(address: string): boolean {
  return rangeOf(address) === 'unicast';
}

export function blockedAddressError(host: string, address: string): ToolkitError {
  const hostText = host === address ? `"${host}"` : `"${host}" (${address})`;
  return blockedHostError(host, `Requests to ${hostText} are blocked: it is a ${rangeOf(address)} address.`);
}

/** Makes the error for a name that has no address here and could only belong to a private network. */
export function blockedNameError(host: string): ToolkitError {
  return blockedHostError(
    host,
    `Requests to "${host}" are blocked: the name has no address here, and it is one that private networks use.`,
  );
}

function blockedHostError(host: string, message: string): ToolkitError {
  const advice = 'If tools may reach it, add the host to "allowHosts" of standard() or guard-outbound.';
  return new ToolkitError('OUTBOUND_BLOCKED', `${message} ${advice}`, { host });
}

function rangeOf(address: string): string {
  const parsed = embeddedIpv4(ipaddr.process(address));
  if (platformAddresses.has(parsed.toString())) return 'cloud platform';
  const range = parsed.range();
  // Only 2000::/3 of IPv6 is in use (RFC 4291, 2.4 and the IANA registry). The rest holds forms such as ::127.0.0.1.
  const isUnused = parsed instanceof ipaddr.IPv6 && range === 'unicast' && !parsed.match(ipaddr.IPv6.parse('2000::'), 3);
  return isUnused ? 'reserved' : range;
}

function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6) || !address.match(translatedPrefix, 96)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
