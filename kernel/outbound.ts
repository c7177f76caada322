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
