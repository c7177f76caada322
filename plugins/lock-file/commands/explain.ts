import { type CommandInvocation, didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { paintDiff } from '../../shared/terminal/paint-diff.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { type AcceptedItem, acceptedText, readAcceptedItem } from '../accepted/accepted-item.ts';
import type { Difference } from '../compare/compare.ts';
import type { LockReport } from '../compare/lock-report.ts';
import { kindOf } from '../items/lock-item.ts';

/** Shows what differs between an item and its entry. Throws INVALID_PARAMETERS for an unknown name. */
export async function explain(name: string, report: LockReport, folder: string, { write, terminal }: CommandInvocation): Promise<void> {
  const found = report.differences.filter((difference) => difference.name === name);
  for (const difference of found) write(paintDiff(terminal, await differenceLines(difference, folder)));
  const sources = report.sources.filter((source) => source.name === name);
  for (const { reported } of sources) write(`${reported.map((line) => terminalText(line)).join('\n')}\n`);
  if (found.length + sources.length > 0) return;
  const known = [...report.items, ...report.differences, ...report.sources].map((item) => item.name);
  if (!known.includes(name))
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing named "${terminalText(name)}" is here or in toolkit.lock.${didYouMean(name, known)} "toolkit lock --check" lists what differs.`,
    );
  write(`"${terminalText(name)}" is as in toolkit.lock.\n`);
}

/** Returns a unified diff of the definition and the files, from what was accepted to what is there now. */
export async function differenceLines(difference: Difference, folder: string): Promise<readonly string[]> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const { section, name } = difference;
  const accepted = difference.change === 'new' ? undefined : await readAcceptedItem(folder, section, name, difference.entry);
  if (difference.change !== 'new' && accepted === undefined)
    return [
      `The accepted definition of the ${kindOf[section]} "${name}" is not in toolkit.lock.d, or not as it was: take it back from git.`,
    ];
  const before = accepted === undefined ? '' : acceptedText(accepted);
  const after = difference.change === 'removed' ? '' : acceptedText(presentItem(difference.item));
  const title = `${section} ${name}`;
  const patch = createTwoFilesPatch(title, title, before, after, 'accepted', 'now', { context: 3, headerOptions: FILE_HEADERS_ONLY });
  return patch.trimEnd().split('\n');
}

function presentItem({ definition, files }: Extract<Difference, { change: 'new' }>['item']): AcceptedItem {
  return { definition: definition(), files };
}
