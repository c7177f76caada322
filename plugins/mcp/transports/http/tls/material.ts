/** Folder, names and environment for a server's certificate. */
export interface TlsContext {
  /** Base of relative paths. A self-signed certificate is stored in its `.toolkit/certs`. */
  readonly cwd: string;
  /** Host names and addresses that a self-signed certificate covers, beside localhost, 127.0.0.1 and ::1. */
  readonly names: readonly string[];
  /** Epoch ms. @default Date.now */
  readonly now?: () => number;
  /** Environment with the `PATH` of `openssl`. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** @default 20000 */
  readonly opensslTimeoutMs?: number;
}

/** Certificate and key for a `node:https` server. */
export interface TlsMaterial {
  /** PEM, the certificate of the server first. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  /** File with the certificate alone, for clients that should trust it. Only for a self-signed certificate. */
  readonly certificateFile?: string;
}
