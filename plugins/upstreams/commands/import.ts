import type { CommandInvocation } from '../../../kernel/index.ts';
import { readText } from '../../shared/text/read-text.ts';
import { addServers } from './add-servers.ts';
import type { Reveal } from './contact-server.ts';

/** `toolkit upstream import`: takes the servers of a client's file over. */
export async function importFile(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const [file = ''] = invocation.arguments;
  await addServers(invocation, await readText(file), file, reveal);
}
