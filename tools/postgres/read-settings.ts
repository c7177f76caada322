import { Failure } from './failure.ts';
import { type GivenSettings, isSocketFolder, type Settings, type SslMode, sslModes } from './settings.ts';
import { readUrl } from './url.ts';

const defaultPort = 5432;

/** Reads the settings from the values of the environment. POSTGRES_URL takes precedence. Throws CONFIG_INVALID. */
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

/** Formats the address of the server for messages. */
export function shownAddress(host: string, port: number): string {
  return isSocketFolder(host) ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
