import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { prompts } from '../../shared/terminal/prompts.ts';
import { writeAccepted } from '../accepted/accepted-in-lock.ts';
import type { Reveal } from './contact-server.ts';
import { compareServer } from './diff.ts';
import { differenceText } from './difference-text.ts';
import { reviewServer } from './review-server.ts';

/** `toolkit upstream accept`: shows what differs, and writes the lock when a person says so. */
export async function accept(invocation: CommandInvocation, reveal: Reveal): Promise<void> {
  const {
    arguments: [name = ''],
    flags,
    write,
  } = invocation;
  const { differences, accepted, lists, folder, kernel } = await compareServer(invocation, name, reveal);
  await kernel.close();
  const reading = flags['reads'] as readonly string[] | string | undefined;
  const readOnly = reading === undefined ? undefined : [reading].flat();
  const unknown = readOnly?.find((tool) => !lists.tools.some((listed) => listed['name'] === tool));
  if (unknown !== undefined)
    throw new ToolkitError('INVALID_PARAMETERS', `"${name}" has no tool "${unknown}" to be accepted as read-only.`);
  if (differences.length === 0 && accepted !== undefined && readOnly === undefined) {
    write(`Nothing differs: "${name}" offers what was accepted.\n`);
    return;
  }
  write(differenceText(differences));
  await reviewServer(invocation, { server: name, lists, folder, kernel });
  if (flags['yes'] !== true) await confirm(invocation, name);
  const all = readOnly === undefined ? undefined : [...new Set([...(accepted?.readOnly ?? []), ...readOnly])];
  await writeAccepted(folder, name, lists, all === undefined ? {} : { readOnly: all });
  write(`Accepted: ${lists.tools.length} tools of "${name}". Commit toolkit.lock and toolkit.lock.d/.\n`);
}

async function confirm({ terminal, interrupted }: CommandInvocation, name: string): Promise<void> {
  if (!terminal.isInteractive)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing was accepted: there is no terminal to ask at. Look at the differences, then type: toolkit upstream accept ${name} --yes`,
    );
  const { confirm: asked } = await prompts(terminal, interrupted());
  if (!(await asked(`Accept that of "${name}"?`, false))) throw new ToolkitError('ABORTED', 'Nothing was accepted.');
}
