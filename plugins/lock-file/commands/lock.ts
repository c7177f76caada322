import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { acceptedFindings } from '../../shared/scanner/review/accept-finding-flag.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { writeDifferences } from '../accepted/write-lock.ts';
import { type LockReport, reportLock } from '../compare/lock-report.ts';
import { reportSarif } from '../compare/report-sarif.ts';
import { reportLines, reportText } from '../compare/report-text.ts';
import { blockedAdvice, blockedNames } from '../compare/text-scan.ts';
import { accept } from './accept.ts';
import { explain } from './explain.ts';
import { withUnlockedKernel } from './unlocked-kernel.ts';

/** Exit codes of `toolkit lock`. An error is 1, as everywhere. */
const exitCodes = { equal: 0, differs: 2, policy: 4 } as const;

/** Runs `toolkit lock` in one of its four forms. */
export async function runLock(invocation: CommandInvocation): Promise<void> {
  const { flags } = invocation;
  const forms = ['check', 'explain', 'update'].filter((name) => flags[name] !== undefined);
  if (forms.length > 1)
    throw new ToolkitError('INVALID_PARAMETERS', `--${forms[0]} and --${forms[1]} cannot be used together: leave one out.`);
  if (flags['format'] !== undefined && flags['check'] !== true)
    throw new ToolkitError('INVALID_PARAMETERS', '--format is for --check: add it, or leave --format out.');
  if (flags['update'] === true) return accept({ ...invocation, arguments: [] });
  const folder = projectFolder(invocation.configFile);
  await withUnlockedKernel(invocation, async (kernel) => {
    const report = await reportLock(kernel, folder);
    if (flags['explain'] !== undefined) await explain(String(flags['explain']), report, folder, invocation);
    else if (flags['check'] === true) await check(report, invocation);
    else await write(report, folder, invocation);
  });
}

async function check(report: LockReport, { flags, write: print, terminal, setExitCode }: CommandInvocation): Promise<void> {
  const lines = reportLines(report);
  if (flags['format'] === 'sarif') print(reportSarif(report));
  else if (flags['format'] === 'json') print(jsonText({ differences: lines, findings: report.findings }));
  else print((await reportText(report, terminal)) || 'Everything is as in toolkit.lock.\n');
  if (report.findings.some(({ isHard }) => isHard)) setExitCode(exitCodes.policy);
  else if (lines.length > 0) setExitCode(exitCodes.differs);
}

/** Writes entries for what is new. What differs from its entry is shown: only `accept` takes it over. */
async function write(report: LockReport, folder: string, invocation: CommandInvocation): Promise<void> {
  const { write: print, terminal, setExitCode } = invocation;
  const blocked = blockedNames(report.findings, acceptedFindings(invocation));
  const added = report.differences.filter(({ change, name }) => change === 'new' && !blocked.has(name));
  await writeDifferences(folder, added);
  const left = { ...report, differences: report.differences.filter((difference) => !added.includes(difference)) };
  print(`toolkit.lock: ${added.length} added, ${report.items.length} in all. Commit it with toolkit.lock.d/.\n`);
  print(await reportText(left, terminal));
  if (blocked.size > 0) {
    print(`Left out: ${blockedAdvice(blocked)}\n`);
    setExitCode(exitCodes.policy);
  }
  if (!left.differences.some(({ change }) => change !== 'new') && left.sources.length === 0) return;
  print('What differs stays withheld: toolkit lock --explain <name> shows it, toolkit accept takes it over.\n');
  if (blocked.size === 0) setExitCode(exitCodes.differs);
}
