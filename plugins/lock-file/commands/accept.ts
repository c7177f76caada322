import { type CommandInvocation, didYouMean, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { prompts } from '../../shared/terminal/prompts.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { hasLock } from '../accepted/has-lock.ts';
import { writeDifferences } from '../accepted/write-lock.ts';
import { type LockReport, reportLock } from '../compare/lock-report.ts';
import { reportText } from '../compare/report-text.ts';
import { acceptCode, type CodeToAccept, codeToAccept } from './accept-code.ts';
import { withUnlockedKernel } from './unlocked-kernel.ts';

const nothing: Pick<LockReport, 'differences' | 'sources' | 'findings' | 'items'> = {
  differences: [],
  sources: [],
  findings: [],
  items: [],
};

/** Accepts what is withheld, all of it or these names. Throws INVALID_PARAMETERS for an unknown name, and where nobody can be asked. */
export async function accept(invocation: CommandInvocation): Promise<void> {
  const { arguments: names, configFile, write, terminal } = invocation;
  const folder = projectFolder(configFile);
  await withUnlockedKernel(invocation, async (kernel) => {
    const isLocked = hasLock(folder);
    const report = isLocked ? await reportLock(kernel, folder) : nothing;
    const code = await codeToAccept(invocation, kernel, folder);
    refuseUnknown(names, report, code, kernel);
    const isNamed = ({ name }: { readonly name: string }): boolean => names.length === 0 || names.includes(name);
    const chosen = { ...report, differences: report.differences.filter(isNamed), sources: report.sources.filter(isNamed) };
    write(await reportText(chosen, terminal));
    const count = chosen.differences.length;
    if (count > 0) await confirm(invocation, count);
    await writeDifferences(folder, chosen.differences);
    if (count > 0) write(`Accepted in toolkit.lock: ${count}. Commit it with toolkit.lock.d/.\n`);
    if (chosen.sources.length > 0) write('Sources are accepted by the commands above.\n');
    const files = acceptCode(code, names);
    if (files !== '') write(files);
    else if (count + chosen.sources.length === 0) write('Nothing is withheld.\n');
  });
}

async function confirm({ flags, terminal, interrupted }: CommandInvocation, count: number): Promise<void> {
  if (flags['yes'] === true) return;
  if (!terminal.isInteractive)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      'Nothing was accepted: there is no terminal to ask at. Look at the differences (toolkit lock --explain <name>), then add --yes.',
    );
  const { confirm: asked } = await prompts(terminal, interrupted());
  if (!(await asked(`Accept ${count === 1 ? 'this change' : `these ${count} changes`}?`, false)))
    throw new ToolkitError('ABORTED', 'Nothing was accepted.');
}

function refuseUnknown(names: readonly string[], report: LockReport, code: CodeToAccept, { registry }: Kernel): void {
  const known = new Set([...[...report.items, ...report.differences, ...report.sources].map(({ name }) => name), ...registry.tools.keys()]);
  const unknown = names.find((name) => !known.has(name) && !code.isWithheld(name));
  if (unknown === undefined) return;
  const shown = terminalText(unknown);
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `There is no tool and no withheld file "${shown}".${didYouMean(unknown, [...known, ...code.names])} "toolkit tools pending" lists what is withheld.`,
    { name: shown },
  );
}
