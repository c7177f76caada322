import { type CommandInvocation, ToolkitError } from '../../../../kernel/index.ts';
import { reviewItems } from '../../../shared/scanner/review/review-items.ts';
import { prompts } from '../../../shared/terminal/prompts.ts';
import { accept } from '../../accepted/accept.ts';
import { scannedItems } from '../../accepted/scanned-items.ts';
import { compareSource } from '../compare-source.ts';
import { differencesSummary, differencesText } from '../diff/differences-text.ts';

/** Shows what differs, and accepts it when a person says so. Throws INVALID_PARAMETERS without a terminal and without --yes. */
export async function update(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [name = ''],
    flags,
    terminal,
    write,
  } = invocation;
  const compared = await compareSource(invocation, name);
  const { folder, source, loaded, isAccepted, differs } = compared;
  write(differencesText(compared, terminal));
  if (isAccepted && !differs) return;
  if (loaded.generated.tools.length === 0)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `Nothing was accepted: no operation of ${source.document.slice(0, 200)} would be a tool. See why: toolkit openapi inspect`,
    );
  reviewItems(invocation, scannedItems(name, loaded));
  if (flags['yes'] !== true) await confirm(invocation, differs ? differencesSummary(compared) : 'no tool differs');
  await accept(folder, name, source, loaded);
  write(`Accepted: ${loaded.generated.tools.length} tools of "${name}". Commit toolkit.lock and toolkit.lock.d/.\n`);
}

async function confirm({ terminal, arguments: [name = ''], interrupted }: CommandInvocation, summary: string): Promise<void> {
  if (!terminal.isInteractive)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing was accepted (${summary}): there is no terminal to ask at. Look at the differences, then type: toolkit openapi update ${name} --yes`,
    );
  const { confirm: asked } = await prompts(terminal, interrupted());
  if (!(await asked(`Accept that (${summary})?`, false))) throw new ToolkitError('ABORTED', 'Nothing was accepted.');
}
