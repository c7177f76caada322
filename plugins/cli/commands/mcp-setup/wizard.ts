import { type CommandInvocation, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { paint } from '../../terminal/paint.ts';
import { type Prompts, prompts } from '../../terminal/prompts.ts';
import { changeOf, makeChange } from './clients/write-entry.ts';
import { approvalAdvice, configurations, httpAdvice, type PlacedClient, toolLimits } from './configurations.ts';
import type { Transport } from './names.ts';
import { groupsWith, type Plan, planOf } from './plan.ts';
import { dotenvOf, type Project } from './project.ts';
import { prose } from './report/prose.ts';
import { projectLine, providerTable, secretAdvice, stateOf, variableReport } from './report/report.ts';
import { nextSteps, writtenReport } from './report/written-report.ts';
import { missingOf, type ToolGroup } from './scan.ts';
import { testPlan } from './self-test/test-plan.ts';
import { testReport } from './self-test/test-report.ts';
import type { SetupFlags } from './setup-flags.ts';

/** Asks for what the flags leave open, tests the server, shows what would change, and writes what a person agrees to. */
export async function askAndWrite(invocation: CommandInvocation, project: Project, given: SetupFlags): Promise<void> {
  const { terminal, note } = invocation;
  const written: string[] = [];
  const stopped = stop(invocation.interrupted());
  try {
    const ask = await prompts(terminal);
    note(`${paint(terminal, 'heading', 'Connect an assistant to')} ${projectLine(project)}`);
    const { plan, placed } = await Promise.race([choose(invocation, ask, project, given), stopped]);
    await explain(invocation, plan);
    const doesWork = given.isTested ? await test(invocation, plan) : true;
    for (const own of placed) {
      const file = await Promise.race([offer(invocation, ask, plan, own, doesWork), stopped]);
      if (file !== undefined) written.push(file);
    }
    note(await prose(terminal, `\n${nextSteps(plan.clients, plan.name)}`));
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'ABORTED' || written.length === 0) throw error;
    throw new ToolkitError('ABORTED', `Stopped. Written before: ${written.map(visibleText).join(', ')}.`, {}, { cause: error });
  }
}

/** Rejects when the process is told to end, which a question that waits would not notice. */
function stop(signal: AbortSignal): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ToolkitError('ABORTED', 'Nothing was done: it was stopped.')), { once: true });
  });
  stopped.catch(() => {});
  return stopped;
}

/** Shows what was chosen, and what it still needs. */
async function explain({ terminal, note }: CommandInvocation, plan: Plan): Promise<void> {
  note(`\n${await providerTable(terminal, plan.groups)}\n${await variableReport(terminal, plan.groups)}`);
  const http = plan.transports.includes('http') ? httpAdvice(plan, process.platform) : '';
  for (const advice of [secretAdvice(plan), approvalAdvice(plan, plan.clients, plan.transports), toolLimits(plan, plan.clients), http])
    if (advice !== '') note(`\n${await prose(terminal, advice)}`);
}

/** False when the server does not start. */
async function test(invocation: CommandInvocation, plan: Plan): Promise<boolean> {
  const { terminal, note } = invocation;
  note('\nStarting the server as a client does it …\n');
  const result = await testPlan(invocation, plan);
  if (result !== undefined) note(await prose(terminal, testReport(terminal, result)));
  return result?.ok !== false;
}

/** The questions. */
async function choose(
  { program, note }: CommandInvocation,
  ask: Prompts,
  project: Project,
  given: SetupFlags,
): Promise<{ plan: Plan; placed: readonly PlacedClient[] }> {
  const { scan, withDotenv } = project;
  const groups = given.groups ?? (await askGroups(ask, (withDotenv ?? scan).groups, note));
  const transport =
    given.transport ??
    (await ask.one<Transport>('How does the assistant reach the server?', [
      { value: 'stdio', label: 'stdio', hint: 'the assistant starts it; right for one person on this machine' },
      { value: 'http', label: 'http', hint: 'you start it; several assistants share it' },
    ]));
  const placed = given.hasClients ? given.placed : await askClients(ask, given.placed);
  const needsAny = groups.some(({ variables }) => variables.length > 0);
  const usesDotenv =
    needsAny &&
    withDotenv !== undefined &&
    (await ask.confirm(`Shall the server read secrets from ${visibleText(dotenvOf(project))} as well?`));
  const names = groups.map(({ name }) => name);
  const choices = {
    groups: groupsWith(usesDotenv && withDotenv !== undefined ? withDotenv : scan, names),
    clients: placed.map(({ client }) => client),
    transports: [transport],
    usesDotenv,
    name: given.name,
  };
  return { plan: planOf(project, choices, program), placed };
}

/** The providers: those that lack nothing are chosen at first. */
async function askGroups(ask: Prompts, groups: readonly ToolGroup[], note: (text: string) => void): Promise<readonly ToolGroup[]> {
  const width = Math.max(...groups.map(({ name }) => name.length));
  const choices = groups.map((group) => ({
    value: group.name,
    label: `${group.name.padEnd(width)} ${String(group.tools.length).padStart(4)} ${group.tools.length === 1 ? 'tool ' : 'tools'}  ${stateOf(group)}`,
  }));
  const ready = groups.filter((group) => missingOf(group).length === 0).map(({ name }) => name);
  for (;;) {
    const chosen = await ask.several('Whose tools may the assistant use? (space chooses, enter goes on)', choices, ready);
    if (chosen.length > 0) return groups.filter(({ name }) => chosen.includes(name));
    note('Without a provider there is nothing to offer: choose one with the space bar.\n');
  }
}

/** The clients: those that are installed are chosen at first. */
async function askClients(ask: Prompts, placed: readonly PlacedClient[]): Promise<readonly PlacedClient[]> {
  const choices = placed.map(({ client, file, isInstalled }) => ({
    value: client.name as string,
    label: `${client.label}${file === undefined || isInstalled ? '' : ' (not found here)'}`,
    hint: file === undefined ? 'shown to paste' : visibleText(file),
  }));
  const installed = placed.filter(({ isInstalled }) => isInstalled).map(({ client }) => client.name as string);
  const chosen = await ask.several('For which assistants?', choices, installed);
  // Nobody chosen: the shape that most read, to paste.
  return placed.filter(({ client }) => (chosen.length === 0 ? client.name === 'generic' : chosen.includes(client.name)));
}

/**
 * Shows what would change in the file of a client, and asks. A file that cannot be written is left, and the configuration is shown. Gives
 * the file that was written.
 */
async function offer(
  { terminal, note }: CommandInvocation,
  ask: Prompts,
  plan: Plan,
  own: PlacedClient,
  doesWork: boolean,
): Promise<string | undefined> {
  const { client, file, isInstalled } = own;
  const transport = plan.transports[0] ?? 'stdio';
  const toPaste = async (why: string): Promise<undefined> => {
    note(`\n${await prose(terminal, why)}${configurations(terminal, plan, transport, [own])}`);
    return undefined;
  };
  if (file === undefined) return toPaste('');
  if (!isInstalled) return toPaste(`${client.label} was not found here. To paste, once it is installed:\n`);
  try {
    const change = await changeOf(terminal, client, file, plan.entryOf(client, transport));
    if (change.diff !== '') {
      const title = `${client.label}: ${change.read.exists ? 'changes in' : 'a new file,'} ${visibleText(file)}`;
      const remark = client.note?.(transport);
      note(`\n${paint(terminal, 'heading', title)}\n${change.diff}`);
      if (remark !== undefined) note(await prose(terminal, `${remark}\n`));
      if (!(await ask.confirm(doesWork ? 'Write this?' : 'The test failed. Write this all the same?', doesWork))) {
        note(`${visibleText(file)} is left as it is.\n`);
        return undefined;
      }
    }
    const written = await makeChange(change, new Date());
    note(`\n${writtenReport(written)}`);
    return written.isChanged ? written.file : undefined;
  } catch (error) {
    if (!ToolkitError.is(error) || error.code === 'ABORTED') throw error;
    return toPaste(`${paint(terminal, 'warning', visibleText(messageOf(error)))} To paste:\n`);
  }
}
