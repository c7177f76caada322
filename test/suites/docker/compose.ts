import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** Members of a service in a compose file that these tests read. */
export interface Service {
  readonly build: { readonly context: string; readonly dockerfile: string };
  /** @default that of the image */
  readonly entrypoint?: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly env_file: readonly { readonly path: string; readonly required: boolean }[];
  readonly ports: readonly string[];
  readonly volumes: readonly (string | { readonly source: string; readonly target: string; readonly read_only: boolean })[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly [key: string]: unknown;
}

/** The services of a compose file by name, with the values of these variables. Throws for one that is required, as compose does. */
export async function readServices(file: string, env: Readonly<Record<string, string>>): Promise<Readonly<Record<string, Service>>> {
  const given = (_: unknown, value: unknown): unknown => (typeof value === 'string' ? interpolate(value, env) : value);
  const { services } = parse(await readFile(file, 'utf8'), given, { merge: true }) as { services: Readonly<Record<string, Service>> };
  return services;
}

/** The only service of a compose file. */
export async function readService(file: string, env: Readonly<Record<string, string>>): Promise<Service> {
  const services = await readServices(file, env);
  const [service, ...others] = Object.values(services);
  if (service === undefined || others.length > 0) throw new Error(`Expected one service in ${file}.`);
  return service;
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`; empty counts as not set. */
function interpolate(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, sign?: string, words = '') => {
    const value = env[name] ?? '';
    if (value !== '') return value;
    if (sign === '?') throw new Error(`required variable ${name} is missing a value: ${words}`);
    return words;
  });
}
