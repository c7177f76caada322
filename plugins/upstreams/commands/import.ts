import { type CommandInvocation, excerpt, ToolkitError } from '../../../kernel/index.ts';
import { readTextIfThere } from '../../shared/text/read-text.ts';
import { addServers } from './add-servers.ts';
import type { Reveal } from './contact-server.ts';

/** `toolkit upstream import`: takes the servers of a client's file over. */
export async function importFile(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const [file = ''] = invocation.arguments;
  const text = await readTextIfThere(file);
  if (text === undefined) {
    const message = `There is no file "${excerpt(file, 200)}": expected the configuration file of an MCP client, such as ./.cursor/mcp.json.`;
    throw new ToolkitError('INVALID_PARAMETERS', message);
  }
  await addServers(invocation, text, file, reveal);
}
