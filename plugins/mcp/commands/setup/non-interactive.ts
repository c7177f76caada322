import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { applyChange, planChange, type WriteResult } from './clients/write-entry.ts';
import { approvalAdvice, cacheAdvice, configurations, entryRemark, httpAdvice, projectFileAdvice } from './configurations.ts';
import { groupsNamed, type Plan, planOf } from './plan.ts';
import type { Project } from './project.ts';
import { jsonReport } from './report/json-report.ts';
import { listingReport } from './report/listing-report.ts';
import { projectLine, providerTable, secretAdvice, variableReport } from './report/report.ts';
import { wrapProse } from './report/wrap-prose.ts';
import { nextSteps, reportWrite } from './report/write-report.ts';
import { missingNames } from './scan.ts';
import { testPlan } from './self-test/test-plan.ts';
import { testReport } from './self-test/test-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/** Prints everything and asks nothing. With `--write`, writes the files of the named clients after the test has passed. */
export async function printAndWrite(invocation: CommandInvocation, project: Project, given: SetupFlags): Promise<void> {
  const { terminal, write } = invocation;
  const plan = plainPlan(invocation, project, given);
  if (!given.printsJson) await printPlan(invocation, plan, given);
  else invocation.note(`${missingNames(plan.groups).length > 0 ? missingSecretAdvice(plan) : ''}${cacheAdvice(plan)}`);
  const test = given.runsTest ? await testPlan(invocation, plan) : undefined;
  if (test !== undefined && !given.printsJson) write(await wrapProse(terminal, testReport(terminal, test, plan.tools)));
  const written: WriteResult[] = [];
  const failures: unknown[] = [];
  if (given.writesFiles && test?.ok !== false) {
    for (const own of given.targets) {
      try {
        written.push(await writeOne(invocation, plan, given, own));
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (given.printsJson) write(jsonReport(plan, given.targets, test, written));
  else if (failures.length === 0 && test?.ok !== false)
    write(await wrapProse(terminal, nextSteps(given.hasClients ? plan.clients : [], given.name)));
  if (test?.ok === false) {
    const file = given.writesFiles ? ' No file was written; --no-test writes it all the same.' : '';
    throw new ToolkitError('EXECUTION_FAILED', `The server does not start as a client starts it: ${test.message}.${file}`);
  }
  for (const failure of failures.slice(1)) invocation.note(`${visibleText(messageOf(failure))}\n`);
  if (failures.length > 0) throw failures[0];
}

function plainPlan({ program }: CommandInvocation, project: Project, given: SetupFlags): Plan {
  const names = (given.groups ?? given.offered).map(({ name }) => name);
  const { dotenvScan } = project;
  const transport = given.transport ?? (given.writesFiles ? 'stdio' : undefined);
  const groups = groupsNamed(dotenvScan ?? project.scan, names);
  const choices = {
    groups,
    clients: given.targets.map(({ client }) => client),
    transports: transport === undefined ? (['stdio', 'http'] as const) : [transport],
    usesDotenv: dotenvScan !== undefined && groups.some(({ variables }) => variables.length > 0),
    name: given.name,
  };
  return planOf(project, choices, program);
}

async function printPlan({ terminal, write }: CommandInvocation, plan: Plan, { targets, writesFiles }: SetupFlags): Promise<void> {
  write(`Project: ${projectLine(plan.project)}\n`);
  write(`${await providerTable(terminal, plan.groups)}\n`);
  if (!writesFiles) write(`${await variableReport(terminal, plan.groups)}\n`);
  const advice = missingSecretAdvice(plan);
  if (advice !== '') write(`${await wrapProse(terminal, advice)}\n`);
  for (const transport of plan.transports) {
    if (!writesFiles) write(`--- ${transport} ---\n\n`);
    if (transport === 'http') write(`${await wrapProse(terminal, httpAdvice(plan, process.platform))}\n`);
    if (!writesFiles) write(`${configurations(terminal, plan, transport, targets)}\n`);
  }
  const cache = cacheAdvice(plan);
  if (cache !== '') write(`${await wrapProse(terminal, cache)}\n`);
  const approval = approvalAdvice(plan, plan.clients, plan.transports);
  if (approval !== '') write(`${await wrapProse(terminal, approval)}\n`);
  write(`${await wrapProse(terminal, listingReport(plan, plan.clients))}\n`);
}

/** Lists missing secrets, and says that at a terminal the command asks for them. */
function missingSecretAdvice(plan: Plan): string {
  const advice = secretAdvice(plan);
  if (advice === '' || plan.project.envFile === undefined) return advice;
  return `${advice.trimEnd()} In a terminal "toolkit mcp setup", without --write and --json, asks for them and writes that file.\n`;
}

async function writeOne(
  { terminal, write, interrupted }: CommandInvocation,
  plan: Plan,
  given: SetupFlags,
  own: SetupFlags['targets'][number],
): Promise<WriteResult> {
  const { client, file, isInstalled } = own;
  if (file === undefined)
    throw new ToolkitError('INVALID_PARAMETERS', `--write cannot write for "${client.name}": it has no file of its own.`);
  if (!isInstalled)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `${client.label} is not installed here: there is no ${file}, and no folder for it. Start it once, or paste the configuration by hand.`,
    );
  const signal = interrupted();
  const transport = plan.transports[0] ?? 'stdio';
  if (given.usesProjectFiles) await mkdir(path.dirname(file), { recursive: true });
  const token = transport === 'http' ? given.token : undefined;
  const change = await planChange(terminal, client, file, plan.entryOf(client, transport, token === undefined ? {} : { token }));
  if (change.conflict !== undefined && !given.isReplaced)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `${file} has an entry "${plan.name}" already, which ${change.conflict}. It is left as it is. Write another one with --name ${change.otherName}, or put this one in its place with --replace.`,
      { file },
    );
  if (signal.aborted) throw new ToolkitError('ABORTED', `Stopped before ${file} was written.`);
  const written = await applyChange(change, new Date());
  const remark = entryRemark(client, transport, token !== undefined);
  if (given.usesProjectFiles && !given.printsJson) write(await wrapProse(terminal, await projectFileAdvice(file)));
  if (!given.printsJson) write(`${change.diff}${reportWrite(written)}${remark === undefined ? '' : `${remark}\n`}`);
  return written;
}
