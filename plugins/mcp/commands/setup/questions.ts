import type { CommandInvocation } from '../../../../kernel/index.ts';
import type { Prompts } from '../../../shared/terminal/prompts.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { ClientTarget } from './configurations.ts';
import type { Transport } from './names.ts';
import { groupsNamed } from './plan.ts';
import type { Project } from './project.ts';
import { stateOf, variableReport } from './report/report.ts';
import { core, missingVariables, type ToolGroup } from './scan.ts';
import { askValues } from './secrets/ask-values.ts';
import type { SetupFlags } from './setup-flags.ts';

/** Choices of the user, from prompts or flags. */
export interface Answers {
  readonly names: readonly string[];
  readonly targets: readonly ClientTarget[];
  readonly transport: Transport;
  readonly usesDotenv: boolean;
  /** Values for the file of secrets, by name. */
  readonly values: ReadonlyMap<string, string>;
}

/** Asks for everything that the flags leave open. */
export async function choose(
  { terminal, note, env }: CommandInvocation,
  ask: Prompts,
  { scan, dotenvScan, envFile }: Project,
  { offered, groups: given, transport: givenTransport, hasClients, targets: known }: SetupFlags,
): Promise<Answers> {
  const names = (
    given ??
    (await askGroups(
      ask,
      groupsNamed(
        dotenvScan ?? scan,
        offered.map(({ name }) => name),
      ),
      note,
    ))
  ).map(({ name }) => name);
  const transport =
    givenTransport ??
    (await ask.select<Transport>('How does the assistant reach the server?', [
      { value: 'stdio', label: 'stdio', hint: 'the assistant starts it; right for one person on this machine' },
      { value: 'http', label: 'http', hint: 'you start it; several assistants share it' },
    ]));
  const targets = hasClients ? known : await askClients(ask, known);
  const needsAny = groupsNamed(scan, names).some(({ variables }) => variables.length > 0);
  const usesDotenv =
    needsAny &&
    dotenvScan !== undefined &&
    envFile !== undefined &&
    (await ask.confirm(`Shall the server read secrets from ${visibleText(envFile.file)} as well?`));
  const answers = { names, targets, transport, usesDotenv };
  const isRefused = dotenvScan !== undefined && !usesDotenv;
  if (envFile === undefined || isRefused) return { ...answers, values: new Map() };
  const groups = groupsNamed(usesDotenv ? dotenvScan : scan, names);
  const lacking = groups.filter((group) => missingVariables(group).length > 0);
  if (lacking.length > 0) note(`\n${await variableReport(terminal, lacking)}`);
  return { ...answers, values: await askValues(ask, { groups, transport, file: envFile.file, env }) };
}

/** Asks for the providers. Initially selects core and those that lack nothing. */
async function askGroups(ask: Prompts, groups: readonly ToolGroup[], note: (text: string) => void): Promise<readonly ToolGroup[]> {
  const width = Math.max(...groups.map(({ name }) => name.length));
  const choices = groups.map((group) => ({
    value: group.name,
    label: `${group.name.padEnd(width)} ${String(group.tools.length).padStart(4)} ${group.tools.length === 1 ? 'tool ' : 'tools'}  ${stateOf(group)}`,
  }));
  const ready = groups.filter((group) => group.name === core || missingVariables(group).length === 0).map(({ name }) => name);
  for (;;) {
    const chosen = await ask.selectMany('Whose tools may the assistant use? (space chooses, enter goes on)', choices, ready);
    if (chosen.length > 0) return groups.filter(({ name }) => chosen.includes(name));
    note('Without a provider there is nothing to offer: choose one with the space bar.\n');
  }
}

/** Asks for the clients. Initially selects the installed ones. */
async function askClients(ask: Prompts, targets: readonly ClientTarget[]): Promise<readonly ClientTarget[]> {
  const choices = targets.map(({ client, file, isInstalled }) => ({
    value: client.name as string,
    label: `${client.label}${file === undefined || isInstalled ? '' : ' (not found here)'}`,
    hint: file === undefined ? 'shown to paste' : visibleText(file),
  }));
  const installed = targets.filter(({ isInstalled }) => isInstalled).map(({ client }) => client.name as string);
  const chosen = await ask.selectMany('For which assistants?', choices, installed);
  // No client chosen: show the generic configuration to paste.
  return targets.filter(({ client }) => (chosen.length === 0 ? client.name === 'generic' : chosen.includes(client.name)));
}
