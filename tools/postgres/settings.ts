export const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** Address, credentials and encryption of a connection. */
export interface Settings {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
  readonly applicationName: string;
  /** Paths of PEM files. */
  readonly sslFiles: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Name of the server in messages. The address in a URL is as secret as the URL. */
  readonly shownAs: string;
  /** Parameters of the URL that have no effect here. */
  readonly ignored: readonly string[];
}

/** Settings from one source, which may be incomplete. */
export type GivenSettings = Partial<Omit<Settings, 'port' | 'sslMode'>> & { readonly port?: string; readonly sslMode?: string };

export function isSocketFolder(host: string): boolean {
  return host.startsWith('/');
}
