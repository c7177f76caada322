import { describeValue, excerpt, isPlainObject, parseTemplate, parseUrl } from '../../../kernel/index.ts';
import type { ImportedServer } from './imported.ts';
import type { ImportedSecrets } from './imported-secrets.ts';
import { isSecretHeader, isSecretVariable, looksSecret } from './looks-secret.ts';
import { programArguments } from './program-arguments.ts';
import { valueParts } from './references.ts';
import { proxiedServer } from './remote-proxy.ts';

type Members = Readonly<Record<string, unknown>>;

const transports: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = {
  stdio: 'stdio',
  http: 'http',
  'streamable-http': 'http',
  streamableHttp: 'http',
  sse: 'sse',
};

/** Members that this program cannot take over: the server may not work without them. */
const untaken = ['envFile', 'oauth', 'auth', 'authProviderType', 'headersHelper'];

/** A value that is a variable as a whole, in the way of a shell: Gemini CLI fills it in. */
const bareVariable = /^((bearer|basic|token)\s+)?\$[A-Za-z_]\w*$/i;

class Untaken extends Error {}

/** A server of a client's file in our form, or the reason why it cannot be taken. */
export type ReadEntry =
  | { readonly server: ImportedServer; readonly notes: readonly string[]; readonly reason?: undefined }
  | { readonly reason: string; readonly server?: undefined };

/** Reads one server in the words of `mcpServers`. Its secrets go to `secrets`. */
export function readEntry(source: string, entry: Members, secrets: ImportedSecrets): ReadEntry {
  try {
    return new EntryReader(source, secrets).read(entry);
  } catch (error) {
    if (error instanceof Untaken) return { reason: error.message };
    throw error;
  }
}

class EntryReader {
  readonly #source: string;
  readonly #secrets: ImportedSecrets;
  readonly #notes: string[] = [];

  constructor(source: string, secrets: ImportedSecrets) {
    this.#source = source;
    this.#secrets = secrets;
  }

  read(entry: Members): ReadEntry {
    if (entry['disabled'] === true || entry['enabled'] === false) throw new Untaken('is switched off in the client');
    for (const key of untaken) if (entry[key] !== undefined) this.#notes.push(`"${key}" is not taken over`);
    const { command, url } = entry;
    const server = command === undefined ? this.#overHttp(entry, url) : this.#program(entry, command);
    return { server: { ...server, ...this.#tools(entry), ...this.#timeLimit(entry['timeout']) }, notes: this.#notes };
  }

  #program(entry: Members, command: unknown): ImportedServer {
    if (typeof command !== 'string' || command.trim() === '')
      throw new Untaken(`has ${describeType(command)} as "command", expected a text`);
    const args = texts(entry['args'] ?? [], 'args');
    const env = values(entry['env'] ?? {}, 'env');
    const proxied = proxiedServer(command, args);
    if (proxied !== undefined) {
      this.#notes.push('is reached at its address, without mcp-remote');
      // What the proxy fills in from its environment.
      const headers = Object.entries(proxied.headers).map(([name, value]) => [name, withVariables(value, env)]);
      return this.#overHttp({ headers: Object.fromEntries(headers) }, proxied.url);
    }
    const given = programArguments(args);
    if (typeof given === 'string') throw new Untaken(given);
    if (looksSecret(command)) throw new Untaken('has what looks like a secret in "command"');
    const { cwd } = entry;
    if (cwd !== undefined && (typeof cwd !== 'string' || cwd.includes('${')))
      throw new Untaken('has a "cwd" that only the client can fill in');
    const variables = this.#values('env', { ...env, ...given.env });
    return {
      command,
      ...(given.args.length === 0 ? {} : { args: given.args }),
      ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
      ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
    };
  }

  #overHttp(entry: Members, url: unknown): ImportedServer {
    if (url === undefined) throw new Untaken('has neither "command" nor "url"');
    const address = typeof url === 'string' && /^https?:\/\//i.test(url) ? parseUrl(url) : undefined;
    if (typeof url !== 'string' || address === undefined) throw new Untaken('has a "url" that is no address of HTTP');
    if (valueParts(url, false).some((part) => !('text' in part))) throw new Untaken('has a "url" that only the client can fill in');
    const { username, password, search, pathname } = address;
    const hasSecret =
      username !== '' || password !== '' || [...new URLSearchParams(search)].some(([name, value]) => isSecretVariable(name, value));
    if (hasSecret || looksSecret(pathname)) throw new Untaken('has what looks like a secret in its "url": pass it in "headers"');
    const kind = entry['type'] ?? entry['transport'];
    const transport = typeof kind === 'string' && Object.hasOwn(transports, kind) ? transports[kind] : undefined;
    if (kind !== undefined && (transport === undefined || transport === 'stdio'))
      throw new Untaken(`has the type ${describeType(kind)} with a "url", expected "http" or "sse"`);
    const headers = this.#values('headers', values(entry['headers'] ?? {}, 'headers'));
    return {
      url,
      ...(transport === undefined ? {} : { transport }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
  }

  #values(member: 'env' | 'headers', given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, this.#value(member, name, value)]));
  }

  /** Returns a value with `{NAME}` in place of a secret. */
  #value(member: 'env' | 'headers', name: string, value: string): string {
    const usedBy = `${this.#source}: ${member} ${excerpt(name, 60)}`;
    const parts = valueParts(value, bareVariable.test(value));
    if (parts.some((part) => 'unknown' in part)) throw new Untaken(`has a value in "${member}" that only the client can fill in`);
    if (parts.some((part) => 'variable' in part))
      return parts
        .map((part) => {
          if ('variable' in part) return `{${this.#secrets.ask(part.variable, usedBy, part.byDefault)}}`;
          const text = 'text' in part ? part.text : '';
          return looksSecret(text) ? `{${this.#secrets.store(this.#source, name, text, usedBy)}}` : escaped(text);
        })
        .join('');
    const isSecret = member === 'env' ? isSecretVariable(name, value) : isSecretHeader(name, value);
    const [, scheme = '', credentials = value] = member === 'headers' ? (/^((?:bearer|basic|token)\s+)(\S.*)$/is.exec(value) ?? []) : [];
    if (isSecret || !isLiteral(escaped(value), value)) return `${scheme}{${this.#secrets.store(this.#source, name, credentials, usedBy)}}`;
    return escaped(value);
  }

  #tools({ include, exclude }: Members): Pick<ImportedServer, 'tools'> {
    const names = (value: unknown): readonly string[] =>
      Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string' && name !== '') : [];
    const tools = {
      ...(names(include).length === 0 ? {} : { include: names(include) }),
      ...(names(exclude).length === 0 ? {} : { exclude: names(exclude) }),
    };
    return Object.keys(tools).length === 0 ? {} : { tools };
  }

  /** Some clients count in seconds. A limit below a second would be one of those. */
  #timeLimit(timeout: unknown): Pick<ImportedServer, 'timeoutMs'> {
    if (typeof timeout !== 'number') return {};
    if (Number.isInteger(timeout) && timeout >= 1000 && timeout <= 86_400_000) return { timeoutMs: timeout };
    this.#notes.push('its time limit is not taken over: its unit cannot be told');
    return {};
  }
}

/** Fills in the variables of a value, as far as they are given. */
function withVariables(value: string, env: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => (Object.hasOwn(env, name) ? (env[name] ?? all) : all));
}

/** Escapes what would be read as a placeholder. */
function escaped(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, '{{$1}}');
}

function isLiteral(template: string, text: string): boolean {
  const [part = '', second] = parseTemplate(template);
  return second === undefined && part === text;
}

function texts(value: unknown, member: string): readonly string[] {
  if (Array.isArray(value) && value.every((item) => ['string', 'number', 'boolean'].includes(typeof item))) return value.map(String);
  throw new Untaken(`has "${member}" that is no list of texts`);
}

function values(value: unknown, member: string): Readonly<Record<string, string>> {
  const entries = isPlainObject(value) ? Object.entries(value).filter(([, item]) => item !== null) : undefined;
  if (entries?.every(([, item]) => ['string', 'number', 'boolean'].includes(typeof item)) === true)
    return Object.fromEntries(entries.map(([name, item]) => [name, String(item)]));
  throw new Untaken(`has "${member}" that is no map of texts`);
}

/** Describes a value without showing it. */
function describeType(value: unknown): string {
  return typeof value === 'string'
    ? Object.hasOwn(transports, value)
      ? `"${value}"`
      : 'another text'
    : (describeValue(value).split(' ')[0] ?? '');
}
