import type { CommandInvocation } from '../../../kernel/index.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { acceptedInLock } from '../accepted/accepted-in-lock.ts';
import type { AcceptedServer } from '../accepted/accepted-servers.ts';
import { compareLists, type ListDifference } from './compare-lists.ts';
import { configuredServer } from './configured-servers.ts';
import { type Contacted, contactServer, type Reveal } from './contact-server.ts';
import { differenceText } from './difference-text.ts';

export interface ComparedServer extends Contacted {
  readonly name: string;
  readonly folder: string;
  readonly accepted: AcceptedServer | undefined;
  readonly differences: readonly ListDifference[];
}

/** Asks a server of the configuration, and compares what it offers with what was accepted. The caller closes the kernel. */
export async function compareServer(invocation: CommandInvocation, name: string, reveal: Reveal): Promise<ComparedServer> {
  const folder = projectFolder(invocation.configFile);
  const contacted = await contactServer(invocation, name, await configuredServer(invocation, name), reveal);
  // An entry that was changed by hand is replaced: everything differs from it.
  const accepted = await acceptedInLock(folder)
    .read(name)
    .catch(() => undefined);
  return { ...contacted, name, folder, accepted, differences: compareLists(accepted?.lists, contacted.lists) };
}

/** Exit code of `toolkit upstream diff` when something differs, as of `toolkit lock --check`. */
const differsCode = 2;

/** `toolkit upstream diff`: prints what differs, and sets the exit code. */
export async function diff(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const [name = ''] = invocation.arguments;
  const { differences, accepted, kernel } = await compareServer(invocation, name, reveal);
  await kernel.close();
  if (invocation.flags['json'] === true)
    invocation.write(`${JSON.stringify({ server: name, isAccepted: accepted !== undefined, differences }, null, 2)}\n`);
  else if (differences.length === 0) invocation.write(`Nothing differs: "${name}" offers what was accepted.\n`);
  else {
    const heading = accepted === undefined ? `Nothing of "${name}" was accepted yet. It offers:\n` : '';
    invocation.write(`${heading}${differenceText(differences)}`);
  }
  if (differences.length === 0) return;
  invocation.note(`"${name}" does not offer what was accepted (differences: ${differences.length}). Accept it: toolkit accept ${name}\n`);
  invocation.setExitCode(differsCode);
}
