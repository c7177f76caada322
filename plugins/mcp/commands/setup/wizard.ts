import path from 'node:path';
import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { prompts } from '../../../shared/terminal/prompts.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { approvalAdvice, cacheAdvice, httpAdvice } from './configurations.ts';
import { offerChange } from './offer-change.ts';
import { type Choices, groupsNamed, type Plan, planOf } from './plan.ts';
import { type Project, scanWith } from './project.ts';
import { type Answers, choose } from './questions.ts';
import { listingReport } from './report/listing-report.ts';
import { projectLine, providerTable, secretAdvice, variableReport } from './report/report.ts';
import { wrapProse } from './report/wrap-prose.ts';
import { nextSteps } from './report/write-report.ts';
import { isCommittable } from './secrets/is-committable.ts';
import { writeValues } from './secrets/write-values.ts';
import { testPlan } from './self-test/test-plan.ts';
import { testReport } from './self-test/test-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/** Asks for everything that the flags leave open, tests the server, shows the changes and writes those that the user agrees to. */
export async function askAndWrite(invocation: CommandInvocation, project: Project, given: SetupFlags): Promise<void> {
  const { terminal, note } = invocation;
  const written: string[] = [];
  const stopped = rejectOnAbort(invocation.interrupted());
  try {
    const ask = await prompts(terminal);
    note(`${paint(terminal, 'heading', 'Connect an assistant to')} ${projectLine(project)}`);
    const { values, ...chosen } = await Promise.race([choose(invocation, ask, project, given), stopped]);
    const { targets } = chosen;
    const isSaved = await saveValues(invocation, project, values);
    if (isSaved && project.envFile !== undefined) written.push(project.envFile.file);
    const plan = await planWith(invocation, project, chosen, { name: given.name, isSaved });
    await explain(invocation, plan);
    const testPassed = given.runsTest ? await test(invocation, plan) : true;
    for (const own of targets) {
      const file = await Promise.race([offerChange(invocation, ask, plan, own, { ...given, testPassed }), stopped]);
      if (file !== undefined) written.push(file);
    }
    note(await wrapProse(terminal, `\n${nextSteps(plan.clients, plan.name)}`));
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'ABORTED' || written.length === 0) throw error;
    throw new ToolkitError('ABORTED', `Stopped. Written before: ${written.map(visibleText).join(', ')}.`, {}, { cause: error });
  }
}

/** Rejects when the process is interrupted, which a waiting prompt would not notice. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ToolkitError('ABORTED', 'Nothing was done: it was stopped.')), { once: true });
  });
  stopped.catch(() => {});
  return stopped;
}

/** Shows the choices and the secrets that are still missing. */
async function explain({ terminal, note }: CommandInvocation, plan: Plan): Promise<void> {
  note(`\n${await providerTable(terminal, plan.groups)}\n${await variableReport(terminal, plan.groups)}`);
  const http = plan.transports.includes('http') ? httpAdvice(plan, process.platform) : '';
  for (const advice of [
    secretAdvice(plan),
    cacheAdvice(plan),
    approvalAdvice(plan, plan.clients, plan.transports),
    listingReport(plan, plan.clients),
    http,
  ])
    if (advice !== '') note(`\n${await wrapProse(terminal, advice)}`);
}

/** Returns false when the server does not start. */
async function test(invocation: CommandInvocation, plan: Plan): Promise<boolean> {
  const { terminal, note } = invocation;
  note('\nStarting the server as a client does it …\n');
  const result = await testPlan(invocation, plan);
  if (result !== undefined) note(await wrapProse(terminal, testReport(terminal, result, plan.tools)));
  return result?.ok !== false;
}

/** Writes the values to the file of secrets. Returns false when there are none, or when writing fails, which is printed. */
async function saveValues({ terminal, note }: CommandInvocation, { envFile }: Project, values: Answers['values']): Promise<boolean> {
  if (envFile === undefined || values.size === 0) return false;
  const file = visibleText(envFile.file);
  try {
    await writeValues(envFile.file, values);
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    note(
      `\n${await wrapProse(terminal, `${paint(terminal, 'warning', visibleText(messageOf(error)))} Nothing was written into ${file}.\n`)}`,
    );
    return false;
  }
  const hint = (await isCommittable(envFile.file))
    ? ` ${paint(terminal, 'warning', `git does not ignore it: add ${visibleText(path.basename(envFile.file))} to .gitignore before you commit.`)}`
    : '';
  note(`\n${await wrapProse(terminal, `Wrote ${[...values.keys()].join(', ')} into ${file}, which only you can read.${hint}\n`)}`);
  return true;
}

/** Plans with the secrets that the server will have. */
async function planWith(
  invocation: CommandInvocation,
  project: Project,
  { names, targets, transport, usesDotenv }: Omit<Answers, 'values'>,
  { name, isSaved }: { readonly name: string; readonly isSaved: boolean },
): Promise<Plan> {
  const { envFile, dotenvScan } = project;
  const scan =
    isSaved && envFile !== undefined ? await scanWith(invocation, envFile) : usesDotenv && dotenvScan ? dotenvScan : project.scan;
  const choices: Choices = {
    groups: groupsNamed(scan, names),
    clients: targets.map(({ client }) => client),
    transports: [transport],
    usesDotenv: usesDotenv || isSaved,
    name,
  };
  return planOf(project, choices, invocation.program);
}
