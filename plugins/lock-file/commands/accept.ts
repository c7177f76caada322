import { type CommandInvocation, didYouMean, type Kernel, ToolkitError } from '../../../kernel/index.ts';
import { lockSource } from '../../shared/lock/lock-source.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { acceptedFindings } from '../../shared/scanner/review/accept-finding-flag.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { prompts } from '../../shared/terminal/prompts.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { hasLock } from '../accepted/has-lock.ts';
import { writeDifferences } from '../accepted/write-lock.ts';
import { type LockReport, reportLock } from '../compare/lock-report.ts';
import { reportText } from '../compare/report-text.ts';
import { blockedAdvice, blockedNames } from '../compare/text-scan.ts';
import { acceptCode, type CodeToAccept, codeToAccept } from './accept-code.ts';
import { compareSources, type DifferingSource } from './compare-sources.ts';
import { withUnlockedKernel } from './unlocked-kernel.ts';

const nothing: LockReport = { differences: [], sources: [], findings: [], items: [] };

/**
 * Accepts what is withheld, all of it or these names: shows the differences, asks, and writes the lock. Throws INVALID_PARAMETERS for an unknown
 * name, and where nobody can be asked.
 */
export async function accept(invocation: CommandInvocation): Promise<void> {
  const { arguments: names, configFile, write, terminal } = invocation;
  const folder = projectFolder(configFile);
  await withUnlockedKernel(invocation, async (kernel) => {
    const report = hasLock(folder) ? await reportLock(kernel, folder) : nothing;
    const code = await codeToAccept(invocation, kernel, folder);
    const sources = await compareSources(invocation, kernel, folder, names);
    refuseUnknown(names, { report, code, sources, kernel });
    const isNamed = ({ name }: { readonly name: string }): boolean => names.length === 0 || names.includes(name);
    // Sources were compared anew: what they reported before is less.
    const findings = report.findings.filter((finding) => finding.names.some((name) => isNamed({ name })));
    const chosen = { ...report, findings, differences: report.differences.filter(isNamed), sources: [] };
    write(await reportText(chosen, terminal));
    refuseBlocked(invocation, chosen);
    for (const { name, text, review } of sources) {
      write(`${paint(terminal, 'name', name)}\n${text}`);
      await review();
    }
    const count = chosen.differences.length + sources.length;
    if (count > 0)
      await confirm(
        invocation,
        [...chosen.differences, ...sources].map(({ name }) => name),
      );
    await writeDifferences(folder, chosen.differences);
    if (chosen.differences.length > 0) write(`Accepted in toolkit.lock: ${chosen.differences.length}.\n`);
    for (const source of sources) write(`${await source.accept()}\n`);
    if (count > 0) write('Commit toolkit.lock and toolkit.lock.d/.\n');
    const files = acceptCode(code, names);
    if (files !== '') write(files);
    else if (count === 0)
      write(names.length === 0 ? 'Nothing is withheld.\n' : `Nothing differs: ${names.map(terminalText).join(', ')}.\n`);
  });
}

/** Throws INVALID_PARAMETERS where a hard finding is about something chosen that the operator has not named. */
function refuseBlocked(invocation: CommandInvocation, { findings, differences }: Pick<LockReport, 'findings' | 'differences'>): void {
  const blocked = blockedNames(findings, acceptedFindings(invocation));
  const chosen = new Set(differences.filter(({ name, change }) => change !== 'removed' && blocked.has(name)).map(({ name }) => name));
  if (chosen.size > 0) throw new ToolkitError('INVALID_PARAMETERS', `Nothing was accepted: ${blockedAdvice(chosen)}`);
}

async function confirm({ flags, terminal, interrupted, arguments: given }: CommandInvocation, names: readonly string[]): Promise<void> {
  if (flags['yes'] === true) return;
  const count = names.length === 1 ? 'this change' : `these ${names.length} changes`;
  if (!terminal.isInteractive)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing was accepted: there is no terminal to ask at. To accept ${count}, type: ${['toolkit accept', ...given.map(terminalText), '--yes'].join(' ')}`,
    );
  const { confirm: asked } = await prompts(terminal, interrupted());
  if (!(await asked(`Accept ${count}?`, false))) throw new ToolkitError('ABORTED', 'Nothing was accepted.');
}

interface Known {
  readonly report: LockReport;
  readonly code: CodeToAccept;
  readonly sources: readonly DifferingSource[];
  readonly kernel: Kernel;
}

function refuseUnknown(names: readonly string[], { report, code, sources, kernel }: Known): void {
  const stated = kernel.facts(lockSource).map(({ value }) => value.name);
  const { tools } = kernel.registry;
  const items = [...report.items, ...report.differences, ...report.sources].map(({ name }) => name);
  const known = new Set([...items, ...stated, ...sources.flatMap(({ items: own = [] }) => own), ...tools.keys()]);
  const unknown = names.find((name) => !known.has(name) && !code.isWithheld(name));
  if (unknown !== undefined) {
    const shown = terminalText(unknown);
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `Nothing named "${shown}" is here or withheld: expected a tool, plugin, skill, document or server.${didYouMean(unknown, new Set([...known, ...code.names]))} "toolkit tools pending" lists what is withheld.`,
      { name: shown },
    );
  }
}
