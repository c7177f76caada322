export const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** Where to connect, as whom and how. */
export interface Settings {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
  readonly applicationName: string;
  /** Files with PEM. */
  readonly sslFiles: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** What messages call the server: the address of a URL is as secret as the URL. */
  readonly shownAs: string;
  /** Parameters of the URL that have no effect here. */
  readonly ignored: readonly string[];
}

/** What a source of settings may leave out. */
export type GivenSettings = Partial<Omit<Settings, 'port' | 'sslMode'>> & { readonly port?: string; readonly sslMode?: string };

export function isSocketFolder(host: string): boolean {
  return host.startsWith('/');
}
