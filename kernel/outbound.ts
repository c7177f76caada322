import type { LookupAddress } from 'node:dns';
import { excerpt, messageOf, ToolkitError } from './errors.ts';

/** For TLS client authentication, in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

export interface OutboundOptions {
  /** Whether the host of the URL is written in a definition or came out of a parameter. @default 'parameter' */
  readonly hostFrom?: 'definition' | 'parameter';
  /** Whose definition the call runs; the kernel sets it. */
  readonly trust?: 'operator' | 'package';
  /** Whose call it is; the kernel sets it. See `CallContext.tenant`. */
  readonly tenant?: string;
  readonly clientCertificate?: ClientCertificate;
  /** False takes any certificate of the server, such as a self-signed one: whoever is on the way can then read and change everything. @default true */
  readonly verifyCertificate?: boolean;
}

/** `fetch` for tools: what plugins such as the outbound guard made of it. */
export type OutboundFetch = (input: string | URL | Request, init?: RequestInit, options?: OutboundOptions) => Promise<Response>;

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Where a connection that is not made with `fetch` may go: every address of the host, looked up now, after plugins such as the outbound guard
 * have checked them for that port. Connect to one of these and not to the name, which may lead somewhere else the next time. Throws
 * OUTBOUND_BLOCKED, NOT_FOUND for a name without an address, INVALID_PARAMETERS for what is no host.
 */
export type OutboundAddresses = (host: string, port: number, options?: OutboundOptions) => Promise<readonly HostAddress[]>;

/** What the resolver of the system says of a host, hosts file included. An address is its own. */
export async function hostAddresses(host: string): Promise<readonly HostAddress[]> {
  const { lookup } = await import('node:dns');
  const found = await new Promise<LookupAddress[]>((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(lookupError(host, error))));
  });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

function lookupError(host: string, error: NodeJS.ErrnoException): ToolkitError {
  const shown = excerpt(host);
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
    return new ToolkitError('NOT_FOUND', `The name "${shown}" has no address. Check how it is written.`, { host: shown }, { cause: error });
  const message = `The address of "${shown}" cannot be looked up: ${excerpt(error.code ?? messageOf(error))}. Try again later.`;
  return new ToolkitError('UPSTREAM_UNAVAILABLE', message, { host: shown }, { cause: error });
}
