import { type CommandInvocation, excerpt } from '../../../kernel/index.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { acceptedInLock } from '../accepted/accepted-in-lock.ts';
import { configuredServers } from './configured-servers.ts';

/** `toolkit upstream list`: the servers of the configuration and what was accepted of them. Asks no server. */
export async function list(invocation: CommandInvocation): Promise<void> {
  const accepted = acceptedInLock(projectFolder(invocation.configFile));
  const servers = await configuredServers(invocation);
  const rows = await Promise.all(
    Object.entries(servers).map(async ([name, { command, args = [], url, pin = 'lock' }]) => {
      const entry = await accepted.read(name).catch(() => 'changed by hand' as const);
      const tools = typeof entry === 'object' ? entry.lists.tools.length : 0;
      const state = entry === undefined ? 'not accepted' : typeof entry === 'string' ? entry : 'accepted';
      return { name, address: url ?? [command, ...args].join(' '), pin, state, tools };
    }),
  );
  if (invocation.flags['json'] === true) invocation.write(`${JSON.stringify(rows, null, 2)}\n`);
  else if (rows.length === 0) invocation.write('The configuration has no MCP servers. Add one: toolkit upstream add <name> --url <url>\n');
  else
    for (const { name, address, state, tools } of rows)
      invocation.write(`${name}  ${state}, ${tools} tools  ${terminalText(excerpt(address, 100))}\n`);
}
