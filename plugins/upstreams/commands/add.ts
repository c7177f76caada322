import { type CommandInvocation, excerpt, ToolkitError } from '../../../kernel/index.ts';
import { addServers } from './add-servers.ts';
import type { Reveal } from './contact-server.ts';

interface AddFlags {
  readonly url?: string;
  readonly command?: string;
  readonly arg?: readonly string[] | string;
  readonly env?: readonly string[] | string;
  readonly header?: readonly string[] | string;
}

/** `toolkit upstream add`: makes one server a server of the configuration. */
export async function add(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const [name = ''] = invocation.arguments;
  const { url, command, arg = [], env = [], header = [] } = invocation.flags as AddFlags;
  if ((url === undefined) === (command === undefined))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      'Expected one of --url and --command, as in: toolkit upstream add tracker --url https://mcp.tracker.example/mcp',
    );
  const server =
    url === undefined
      ? { command, args: [arg].flat(), env: pairs(env, '--env', '=') }
      : { type: 'http', url, headers: pairs(header, '--header', ':') };
  await addServers(invocation, JSON.stringify({ mcpServers: { [name]: server } }), `${name}.json`, reveal);
}

/** Returns `NAME=value` or `Name: value` as members. */
function pairs(given: readonly string[] | string, flag: string, mark: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [given].flat().map((pair) => {
      const at = pair.indexOf(mark);
      if (at > 0) return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      // The value may be a secret.
      throw new ToolkitError(
        'INVALID_PARAMETERS',
        `${flag} was given without "${mark}": expected a name, "${mark}" and a value, received ${excerpt(pair.replace(/./g, '*'), 20)}.`,
      );
    }),
  );
}
