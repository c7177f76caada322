import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { removeSource } from '../../shared/lock/remove-source.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { configuredServers } from './configured-servers.ts';

/** `toolkit upstream remove`: removes what was accepted of a server. The configuration stays, and says what to take out of it. */
export async function remove(invocation: CommandInvocation): Promise<void> {
  const [name = ''] = invocation.arguments;
  const isConfigured = Object.hasOwn(await configuredServers(invocation), name);
  const isRemoved = await removeSource(projectFolder(invocation.configFile), 'upstreams', name);
  if (!isRemoved && !isConfigured)
    throw new ToolkitError('INVALID_PARAMETERS', `Nothing of an MCP server "${name.slice(0, 60)}" was accepted.`);
  if (isRemoved) invocation.write(`Removed what was accepted of "${name}". Commit toolkit.lock and toolkit.lock.d/.\n`);
  if (isConfigured) invocation.write(`The configuration still has it: remove "${name}" from "servers" of the plugin upstreams.\n`);
}
