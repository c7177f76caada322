import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { writeOption } from '../../shared/configuration/write-option.ts';
import { removeSource } from '../../shared/lock/remove-source.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { configuredServers } from './configured-servers.ts';
import { upstreamsPlugin } from './upstreams-plugin.ts';

/** `toolkit upstream remove`: removes a server from the configuration, and what was accepted of it. Its secrets stay. */
export async function remove(invocation: CommandInvocation): Promise<void> {
  const [name = ''] = invocation.arguments;
  const isConfigured = Object.hasOwn(await configuredServers(invocation), name);
  const { configFile, write } = invocation;
  const folder = projectFolder(configFile);
  const isRemoved = await removeSource(folder, 'upstreams', name);
  if (!isRemoved && !isConfigured)
    throw new ToolkitError('INVALID_PARAMETERS', `Nothing of an MCP server "${name.slice(0, 60)}" was accepted.`);
  if (isRemoved) write(`Removed what was accepted of "${name}". Commit toolkit.lock and toolkit.lock.d/.\n`);
  if (!isConfigured) return;
  const written = await writeOption(configFile, folder, { plugin: upstreamsPlugin, path: ['servers', name], value: undefined });
  if (written.lines === undefined) write(`Removed ${name} from ${written.file}.\n`);
  else write(`The configuration still has it: remove "${name}" from "servers" of the plugin upstreams.\n`);
}
