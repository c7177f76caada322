import { Failure } from './failure.ts';
import { readUrl } from './url.ts';

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

const defaultPort = 5432;

/** From the values of the environment. POSTGRES_URL goes before the others. Throws CONFIG_INVALID. */
export function readSettings(secrets: Readonly<Record<string, string>>): Settings {
  const url = secrets['POSTGRES_URL'];
  const sslMode = secrets['POSTGRES_SSLMODE'];
  const given: GivenSettings = {
    ...(sslMode === undefined ? {} : { sslMode }),
    ...(url === undefined ? readNames(secrets) : readUrl(url)),
  };
  const { user, password = '', host = 'localhost', applicationName = 'toolkit', sslFiles = {}, ignored = [] } = given;
  if (user === undefined || user === '')
    throw new Failure('CONFIG_INVALID', 'POSTGRES_URL names no user. Expected postgresql://user@host/…');
  return {
    host,
    port: readPort(given.port),
    user,
    password,
    database: given.database ?? user,
    sslMode: readSslMode(given.sslMode, host),
    applicationName,
    sslFiles,
    shownAs: url === undefined ? shownAddress(host, readPort(given.port)) : 'the server of POSTGRES_URL',
    ignored,
  };
}

export function isSocketFolder(host: string): boolean {
  return host.startsWith('/');
}

function readNames(secrets: Readonly<Record<string, string>>): GivenSettings {
  const names = {
    host: 'POSTGRES_HOST',
    port: 'POSTGRES_PORT',
    user: 'POSTGRES_USER',
    password: 'POSTGRES_PASSWORD',
    database: 'POSTGRES_DATABASE',
  };
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => (secrets[name] === undefined ? [] : [[key, secrets[name]] as const])),
  );
}

function readPort(text: string | undefined): number {
  if (text === undefined || text === '') return defaultPort;
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new Failure(
    'CONFIG_INVALID',
    'The port of PostgreSQL is wrong: expected an integer from 1 to 65535. Correct POSTGRES_PORT or POSTGRES_URL.',
  );
}

function readSslMode(text: string | undefined, host: string): SslMode {
  if (isSocketFolder(host)) return 'disable';
  if (text === undefined || text === '') return isLoopback(host) ? 'disable' : 'require';
  const mode = sslModes.find((known) => known === text);
  if (mode !== undefined) return mode;
  throw new Failure(
    'CONFIG_INVALID',
    `The sslmode of PostgreSQL is unknown: expected ${sslModes.join(', ')}. Correct POSTGRES_SSLMODE, or sslmode in POSTGRES_URL.`,
  );
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

function shownAddress(host: string, port: number): string {
  return isSocketFolder(host) ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
