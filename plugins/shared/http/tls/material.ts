/** The options of a certificate, as messages name them. */
export interface TlsOptionNames {
  readonly certPath: string;
  readonly keyPath: string;
  readonly selfSigned: string;
  /** The two options of a certificate of one's own, in advice: `--cert with --key`. */
  readonly files: string;
  /** The option of a self-signed certificate, in advice: `--self-signed`. */
  readonly signing: string;
  /** The options of the names that a certificate covers. */
  readonly names: string;
}

/** The options of `toolkit mcp`. */
export const mcpTlsOptions: TlsOptionNames = {
  certPath: 'certPath (--cert)',
  keyPath: 'keyPath (--key)',
  selfSigned: 'selfSigned (--self-signed)',
  files: '--cert with --key',
  signing: '--self-signed',
  names: 'host or allowedHosts',
};

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
  /** @default the options of `toolkit mcp` */
  readonly options?: TlsOptionNames;
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
