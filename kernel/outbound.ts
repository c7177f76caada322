import type { LookupAddress } from 'node:dns';
import { excerpt, messageOf, ToolkitError } from './errors.ts';
import type { Span } from './trace/span.ts';

/** A certificate for TLS client authentication, in PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

export interface OutboundOptions {
  /** The origin of the URL's host: a definition or a parameter. @default 'parameter' */
  readonly hostFrom?: 'definition' | 'parameter';
  /** The trust of the tool's definition. The kernel sets it. */
  readonly trust?: 'operator' | 'package';
  /** The tenant of the call. The kernel sets it. See `CallContext.tenant`. */
  readonly tenant?: string;
  /** The span of the call. The kernel sets it. */
  readonly span?: Span | undefined;
  /** Masks every secret that the call may know, for records about the request. The kernel sets it where the call has a span. */
  readonly mask?: <T>(value: T) => T;
  /** Called when no connection could be opened, so that the request did not reach the service. The kernel sets it. */
  readonly onNotConnected?: () => void;
  readonly clientCertificate?: ClientCertificate;
  /** False accepts any server certificate, such as a self-signed one: an attacker on the network can then read and change everything. @default true */
  readonly verifyCertificate?: boolean;
}

/** `fetch` for tools, wrapped by plugins such as the outbound guard. */
export type OutboundFetch = (input: string | URL | Request, init?: RequestInit, options?: OutboundOptions) => Promise<Response>;

/** An address of a host. */
export interface HostAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Returns the allowed addresses of a host for a connection without `fetch`: looked up now, and checked for the port by plugins such as the
 * outbound guard. Connect to one of them, not to the name: a later lookup may return others. Throws OUTBOUND_BLOCKED, NOT_FOUND for a name
 * without an address, INVALID_PARAMETERS for an invalid host.
 */
export type OutboundAddresses = (host: string, port: number, options?: OutboundOptions) => Promise<readonly HostAddress[]>;

const notConnectedCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Sends a request by the global fetch. Reports when no connection could be opened. */
export async function plainRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  onNotConnected: (() => void) | undefined,
): Promise<Response> {
  try {
    return await globalThis.fetch(input, init);
  } catch (error) {
    // A request that fetch redirected has reached a service.
    if (init?.redirect === 'manual' && isNotConnected(error)) onNotConnected?.();
    throw error;
  }
}

function isNotConnected(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '', syscall } = cause as NodeJS.ErrnoException;
    if (syscall === 'connect' || notConnectedCodes.has(code)) return true;
  }
  return false;
}

/** Returns the addresses from the system's resolver, hosts file included. An address resolves to itself. */
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
