import { excerpt, parseUrl, placeholdersIn, ToolkitError } from '../../kernel/index.ts';
import { isSecure } from '../shared/http/loopback.ts';
import type { UpstreamServer } from './options.ts';

/** The settings of one server, checked, with all defaults. */
export interface ServerSettings extends Omit<UpstreamServer, 'auth' | 'transport'> {
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse';
  /** True when another transport may be tried: the configuration names none. */
  readonly mayFallBack: boolean;
  readonly auth: 'none' | 'header' | 'caller' | 'oauth';
  /** True when each caller has credentials, and perhaps lists, of its own. */
  readonly isOfCallers: boolean;
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
  checkOAuth(server, auth, refuse);
  if (auth === 'none' && secrets.length > 0) refuse(`has "auth: none", but names the secret ${secrets[0]}. Remove one of the two.`);
  if ((auth === 'header' || auth === 'caller') && secrets.length === 0)
    refuse(`has "auth: ${auth}", but no {NAME} in "env" or "headers". Write the secret there.`);
  const isOfCallers = auth === 'caller' || server.oauth?.account === 'caller';
  const reason = auth === 'caller' ? '"auth: caller"' : '"account: caller"';
  if (isOfCallers && server.perCaller === false) refuse(`has ${reason} with "perCaller: false": remove the latter.`);
  const { concurrency = 8, queue = 32, startTimeoutMs = 30_000, pin = 'lock', gate = 'writes', outputSchemas = 'warn' } = server;
  return {
    ...server,
    ...{ name, transport, auth, isOfCallers, secrets, concurrency, queue, startTimeoutMs, pin, gate, outputSchemas },
    mayFallBack: server.transport === undefined,
    perCaller: server.perCaller ?? isOfCallers,
  };
}

/** Refuses a login that cannot be, or that would send tokens where others read them. */
function checkOAuth({ url, oauth, headers = {} }: UpstreamServer, auth: UpstreamServer['auth'], refuse: (message: string) => never): void {
  if (auth !== 'oauth') {
    if (oauth !== undefined) refuse(`has "oauth", which only a server with "auth: oauth" has.`);
    return;
  }
  if (url === undefined) refuse('has "auth: oauth" with "command": expected "url". A program gets its secrets by "env".');
  for (const [member, address] of Object.entries({ url, 'oauth.issuer': oauth?.issuer })) {
    const parsed = address === undefined ? undefined : parseUrl(address);
    if (address !== undefined && (parsed === undefined || !isSecure(parsed)))
      refuse(
        `has "auth: oauth" and the ${member} ${excerpt(address)}: expected https, because tokens are sent there; http only on this machine.`,
      );
  }
  const authorization = Object.keys(headers).find((header) => header.toLowerCase() === 'authorization');
  if (authorization !== undefined) refuse(`has "auth: oauth" and the header "${authorization}": remove one of the two.`);
  if (oauth?.clientSecret !== undefined && oauth.clientId === undefined) refuse('has "clientSecret" without "clientId": write both.');
  if (oauth?.clientMetadata !== undefined && oauth.clientId !== undefined)
    refuse('has "clientId" and "clientMetadata": remove one of the two.');
}
