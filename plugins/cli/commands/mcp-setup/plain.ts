import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { changeOf, makeChange, type Written } from './clients/write-entry.ts';
import { approvalAdvice, cacheAdvice, configurations, httpAdvice, projectFileAdvice, remarkOn } from './configurations.ts';
import { groupsWith, type Plan, planOf } from './plan.ts';
import type { Project } from './project.ts';
import { jsonReport } from './report/json-report.ts';
import { listingReport } from './report/listing-report.ts';
import { prose } from './report/prose.ts';
import { projectLine, providerTable, secretAdvice, variableReport } from './report/report.ts';
import { nextSteps, writtenReport } from './report/written-report.ts';
import { missingNames } from './scan.ts';
import { testPlan } from './self-test/test-plan.ts';
import { testReport } from './self-test/test-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/** Prints everything and asks nothing. With `--write`, writes the files of the named clients after the test has passed. */
export async function printAndWrite(invocation: CommandInvocation, project: Project, given: SetupFlags): Promise<void> {
  const { terminal, write } = invocation;
  const plan = plainPlan(invocation, project, given);
  if (!given.isJson) await printPlan(invocation, plan, given);
  else invocation.note(`${missingNames(plan.groups).length > 0 ? plainAdvice(plan) : ''}${cacheAdvice(plan)}`);
  const test = given.isTested ? await testPlan(invocation, plan) : undefined;
  if (test !== undefined && !given.isJson) write(await prose(terminal, testReport(terminal, test, plan.tools)));
  const written: Written[] = [];
  const failures: unknown[] = [];
  if (given.isWritten && test?.ok !== false) {
    for (const own of given.placed) {
      try {
        written.push(await writeOne(invocation, plan, given, own));
      } catch (error) {
        failures.push(error);
      }
    }
  }
  if (given.isJson) write(jsonReport(plan, given.placed, test, written));
  else if (failures.length === 0 && test?.ok !== false)
    write(await prose(terminal, nextSteps(given.hasClients ? plan.clients : [], given.name)));
  if (test?.ok === false) {
    const file = given.isWritten ? ' No file was written; --no-test writes it all the same.' : '';
    throw new ToolkitError('EXECUTION_FAILED', `The server does not start as a client starts it: ${test.message}.${file}`);
  }
  for (const failure of failures.slice(1)) invocation.note(`${visibleText(messageOf(failure))}\n`);
  if (failures.length > 0) throw failures[0];
}

function plainPlan({ program }: CommandInvocation, project: Project, given: SetupFlags): Plan {
  const names = (given.groups ?? given.offered).map(({ name }) => name);
  const { withDotenv } = project;
  const transport = given.transport ?? (given.isWritten ? 'stdio' : undefined);
  const groups = groupsWith(withDotenv ?? project.scan, names);
  const choices = {
    groups,
    clients: given.placed.map(({ client }) => client),
    transports: transport === undefined ? (['stdio', 'http'] as const) : [transport],
    usesDotenv: withDotenv !== undefined && groups.some(({ variables }) => variables.length > 0),
    name: given.name,
  };
  return planOf(project, choices, program);
}

async function printPlan({ terminal, write }: CommandInvocation, plan: Plan, { placed, isWritten }: SetupFlags): Promise<void> {
  write(`Project: ${projectLine(plan.project)}\n`);
  write(`${await providerTable(terminal, plan.groups)}\n`);
  if (!isWritten) write(`${await variableReport(terminal, plan.groups)}\n`);
  const advice = plainAdvice(plan);
  if (advice !== '') write(`${await prose(terminal, advice)}\n`);
  for (const transport of plan.transports) {
    if (!isWritten) write(`--- ${transport} ---\n\n`);
    if (transport === 'http') write(`${await prose(terminal, httpAdvice(plan, process.platform))}\n`);
    if (!isWritten) write(`${configurations(terminal, plan, transport, placed)}\n`);
  }
  const cache = cacheAdvice(plan);
  if (cache !== '') write(`${await prose(terminal, cache)}\n`);
  const approval = approvalAdvice(plan, plan.clients, plan.transports);
  if (approval !== '') write(`${await prose(terminal, approval)}\n`);
  write(`${await prose(terminal, listingReport(plan, plan.clients))}\n`);
}

/** Lists missing secrets, and says that at a terminal the command asks for them. */
function plainAdvice(plan: Plan): string {
  const advice = secretAdvice(plan);
  if (advice === '' || plan.project.envFile === undefined) return advice;
  return `${advice.trimEnd()} In a terminal "toolkit mcp setup", without --write and --json, asks for them and writes that file.\n`;
}

async function writeOne(
  { terminal, write, interrupted }: CommandInvocation,
  plan: Plan,
  given: SetupFlags,
  own: SetupFlags['placed'][number],
): Promise<Written> {
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
  if (given.isOfProject) await mkdir(path.dirname(file), { recursive: true });
  const token = transport === 'http' ? given.token : undefined;
  const change = await changeOf(terminal, client, file, plan.entryOf(client, transport, token === undefined ? {} : { token }));
  if (change.conflict !== undefined && !given.isReplaced)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `${file} has an entry "${plan.name}" already, which ${change.conflict}. It is left as it is. Write another one with --name ${change.otherName}, or put this one in its place with --replace.`,
      { file },
    );
  if (signal.aborted) throw new ToolkitError('ABORTED', `Stopped before ${file} was written.`);
  const written = await makeChange(change, new Date());
  const remark = remarkOn(client, transport, token !== undefined);
  if (given.isOfProject && !given.isJson) write(await prose(terminal, await projectFileAdvice(file)));
  if (!given.isJson) write(`${change.diff}${writtenReport(written)}${remark === undefined ? '' : `${remark}\n`}`);
  return written;
}
