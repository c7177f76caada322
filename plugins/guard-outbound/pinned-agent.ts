import type { LookupAddress } from 'node:dns';
import net from 'node:net';
import type { Agent, buildConnector } from 'undici';
import type { ClientCertificate } from '../../kernel/index.ts';
import { blockedAddressError } from './addresses.ts';
import type { Target } from './host-list.ts';

/** TLS settings that differ from the defaults. */
export interface TlsOptions extends Partial<ClientCertificate> {
  readonly rejectUnauthorized?: false;
}

/** True when a connection may be made to this address of the target. */
export type AddressCheck = (target: Target, address: string) => boolean;

/**
 * Opens an agent that connects only to checked addresses: a name is resolved once, all of its addresses must pass, and the
 * connection goes to one of them.
 */
export async function openPinnedAgent(isAllowed: AddressCheck, tls: TlsOptions): Promise<Agent> {
  const { Agent, buildConnector } = await import('undici');
  const { lookup } = await import('node:dns');
  const { LRUCache } = await import('lru-cache');
  const checkedLookup =
    (port: number): net.LookupFunction =>
    (host, options, callback) => {
      lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        const blockedAddress = error === null ? addresses.find(({ address }) => !isAllowed({ host, port }, address)) : undefined;
        const problem = error ?? (blockedAddress === undefined ? null : blockedAddressError(host, blockedAddress.address));
        const [first] = addresses ?? [];
        if (problem !== null) callback(problem as NodeJS.ErrnoException, options.all ? [] : '', 4);
        else if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family ?? 4);
      });
    };
  // One connector per port, because a lookup is not given the port. Each remembers the TLS sessions of its servers.
  const connectors = new LRUCache<number, buildConnector.connector>({
    max: 100,
    memoMethod: (port) => buildConnector({ lookup: checkedLookup(port), ...tls }),
  });
  return new Agent({
    connect: (options, callback) => {
      const target = targetOf(options);
      // A literal address is never looked up.
      if (net.isIP(target.host) === 0 || isAllowed(target, target.host)) connectors.memo(target.port)(options, callback);
      else callback(blockedAddressError(target.host, target.host), null);
    },
  });
}

/** Returns the target of a URL, or of its parts. */
export function targetOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): Target {
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}
