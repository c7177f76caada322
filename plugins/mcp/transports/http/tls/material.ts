/** Where and for which names a server gets its certificate. */
export interface TlsContext {
  /** Relative paths start here, and a self-signed certificate is kept in its `.toolkit/certs`. */
  readonly cwd: string;
  /** Host names and addresses that a self-signed certificate covers, beside localhost, 127.0.0.1 and ::1. */
  readonly names: readonly string[];
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
  /** Where `openssl` is looked for. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default 20000 */
  readonly opensslTimeoutMs?: number;
}

/** What a `node:https` server is made with. */
export interface TlsMaterial {
  /** PEM, the certificate of the server first. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** The certificate alone, for clients that want to trust it. Only a self-signed one has such a file. */
  readonly certificateFile?: string;
}
