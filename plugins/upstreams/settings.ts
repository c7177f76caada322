import { excerpt, placeholdersIn, ToolkitError } from '../../kernel/index.ts';
import type { UpstreamServer } from './options.ts';

/** The settings of one server, checked, with all defaults. */
export interface ServerSettings extends Omit<UpstreamServer, 'auth' | 'transport'> {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** True when another transport may be tried: the configuration names none. */
  readonly mayFallBack: boolean;
  readonly auth: 'none' | 'header' | 'caller';
  readonly perCaller: boolean;
  readonly concurrency: number;
  readonly queue: number;
  readonly startTimeoutMs: number;
  readonly pin: 'lock' | 'first-use' | 'off';
  readonly gate: 'writes' | 'all' | 'none';
  readonly outputSchemas: 'off' | 'warn' | 'strict';
  /** Names of the secrets in `env` and `headers`. */
  readonly secrets: readonly string[];
}

/** Returns the settings of a server. Throws CONFIG_INVALID with the name, the mistake, and what to write. */
export function settingsOf(name: string, server: UpstreamServer): ServerSettings {
  const refuse = (message: string): never => {
    throw new ToolkitError('CONFIG_INVALID', `The MCP server "${excerpt(name, 50)}" ${message}`, { server: name });
  };
  const { command, url, transport = command === undefined ? 'http' : 'stdio' } = server;
  if (command === undefined && url === undefined) refuse('has neither "command" nor "url": expected one of them.');
  if (command !== undefined && url !== undefined) refuse('has "command" and "url": expected one of them.');
  if ((transport === 'stdio') !== (command !== undefined))
    refuse(`has the transport "${transport}" with "${command === undefined ? 'url' : 'command'}": expected one that fits, or none.`);
  const unused = command === undefined ? (['args', 'env', 'cwd'] as const) : (['headers'] as const);
  const strange = unused.find((member) => server[member] !== undefined);
  if (strange !== undefined) refuse(`has "${strange}", which only a server with "${command === undefined ? 'command' : 'url'}" has.`);
  const secrets = [...new Set(placeholdersIn([server.env ?? {}, server.headers ?? {}]))];
  const { auth = secrets.length === 0 ? 'none' : 'header' } = server;
  if (auth === 'oauth') return refuse('has "auth: oauth", which this version does not have. Use "header" with a token.');
  if (auth === 'none' && secrets.length > 0) refuse(`has "auth: none", but names the secret ${secrets[0]}. Remove one of the two.`);
  if (auth !== 'none' && secrets.length === 0) refuse(`has "auth: ${auth}", but no {NAME} in "env" or "headers". Write the secret there.`);
  if (auth === 'caller' && server.perCaller === false) refuse('has "auth: caller" with "perCaller: false": remove the latter.');
  const { concurrency = 8, queue = 32, startTimeoutMs = 30_000, pin = 'lock', gate = 'writes', outputSchemas = 'warn' } = server;
  return {
    ...server,
    ...{ name, transport, auth, secrets, concurrency, queue, startTimeoutMs, pin, gate, outputSchemas },
    mayFallBack: server.transport === undefined,
    perCaller: server.perCaller ?? auth === 'caller',
  };
}
