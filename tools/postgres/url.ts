import { Failure } from './failure.ts';
import type { GivenSettings } from './settings.ts';

/** Parameters of a URL, as libpq names them, and the settings that they are. */
const plain = new Map([
  ['host', 'host'],
  ['port', 'port'],
  ['user', 'user'],
  ['password', 'password'],
  ['dbname', 'database'],
  ['sslmode', 'sslMode'],
  ['application_name', 'applicationName'],
]);

const files = new Map([
  ['sslrootcert', 'ca'],
  ['sslcert', 'cert'],
  ['sslkey', 'key'],
]);

/** Reads the settings of a libpq connection URI (PostgreSQL documentation, 34.1.1.2) with one host. Throws CONFIG_INVALID, never with the URL. */
export function readUrl(text: string): GivenSettings {
  const url = parsed(text);
  const host = decoded(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const parameters = [...url.searchParams].filter(([, value]) => value !== '');
  const own = {
    host,
    port: url.port,
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
  };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));
  const settings: GivenSettings = {
    ...given,
    ...renamed(parameters, plain),
    sslFiles: renamed(parameters, files),
    ignored: parameters.map(([name]) => name).filter((name) => !plain.has(name) && !files.has(name)),
  };
  if (settings.host?.includes(',')) throw invalidUrl('names several hosts');
  return settings;
}

function renamed(parameters: readonly (readonly [string, string])[], names: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap(([name, value]) => {
      const own = names.get(name);
      return own === undefined ? [] : [[own, value] as const];
    }),
  );
}

function parsed(given: string): URL {
  // libpq allows a user without a host; the URL standard does not.
  const text = given.replace(/^(\w+:\/\/[^/?#]*@)(?=[:/?#]|$)/, '$1localhost');
  if (!URL.canParse(text)) throw invalidUrl('does not parse');
  const url = new URL(text);
  if (url.protocol !== 'postgresql:' && url.protocol !== 'postgres:') throw invalidUrl('has another scheme');
  return url;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidUrl('has a "%" that encodes nothing');
  }
}

function invalidUrl(what: string): Failure {
  return new Failure(
    'CONFIG_INVALID',
    `POSTGRES_URL ${what}. Expected postgresql://user:password@host:5432/database?sslmode=verify-full, with special characters percent-encoded.`,
  );
}
