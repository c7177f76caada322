import os from 'node:os';
import { type CommandInvocation, didYouMean, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isInstalled, locationOf } from './clients/client-locations.ts';
import { clients } from './clients/clients.ts';
import type { PlacedClient } from './configurations.ts';
import type { Machine } from './machine.ts';
import type { Transport } from './names.ts';
import { type Project, readProject } from './project.ts';
import { core, type ToolGroup } from './scan.ts';
import type { SetupFlags } from './setup-flags.ts';

/** `toolkit mcp setup`: asks where a person is there, else prints. */
export async function runSetup(invocation: CommandInvocation): Promise<void> {
  const { flags, terminal, env } = invocation;
  const names = flags['client'] as readonly string[] | undefined;
  if (flags['write'] === true && names === undefined)
    throw new ToolkitError('INVALID_PARAMETERS', '--write needs the client whose file is written, such as --client cursor.');
  const machine: Machine = { platform: process.platform, env, home: homeOf(env) };
  const project = await readProject(invocation);
  const transport = flags['transport'] as Transport | undefined;
  const offered = offeredGroups(project, flags['core'] !== false);
  const groups = groupsOf(offered, flags['providers'] as readonly string[] | undefined);
  const given: SetupFlags = {
    ...(transport === undefined ? {} : { transport }),
    offered,
    ...(groups === undefined ? {} : { groups }),
    placed: await placedClients(names, machine),
    hasClients: names !== undefined,
    name: flags['name'] as string,
    isTested: flags['test'] !== false,
    isWritten: flags['write'] === true,
    isJson: flags['json'] === true,
  };
  const isAsked = terminal.isInteractive && terminal.isTerminal && !given.isJson && !given.isWritten;
  if (isAsked) await (await import('./wizard.ts')).askAndWrite(invocation, project, given);
  else await (await import('./plain.ts')).printAndWrite(invocation, project, given);
}

function homeOf(env: CommandInvocation['env']): string {
  return (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || os.homedir();
}

async function placedClients(names: readonly string[] | undefined, machine: Machine): Promise<readonly PlacedClient[]> {
  const wanted = clients.filter(({ name }) => names?.includes(name) ?? true);
  return Promise.all(
    wanted.map(async (client) => {
      const place = await locationOf(client.name, machine);
      return place === undefined ? { client, isInstalled: false } : { client, file: place.file, isInstalled: await isInstalled(place) };
    }),
  );
}

/** The groups that may be chosen. Throws INVALID_PARAMETERS where that are none. */
function offeredGroups({ scan: { groups } }: Project, hasCore: boolean): readonly ToolGroup[] {
  const offered = hasCore ? groups : groups.filter(({ name }) => name !== core);
  if (offered.length > 0) return offered;
  throw new ToolkitError('INVALID_PARAMETERS', 'There are no tools but the core tools, and --no-core leaves them out. Leave the flag out.');
}

/** The groups of `--providers`, and the core tools. Throws INVALID_PARAMETERS for one that is not there. */
function groupsOf(offered: readonly ToolGroup[], names: readonly string[] | undefined): readonly ToolGroup[] | undefined {
  if (names === undefined) return undefined;
  const known = offered.map(({ name }) => name);
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined || names.length === 0)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `--providers names "${excerpt(stranger ?? '', 100)}", of which there are no tools.${didYouMean(stranger ?? '', known)} There are: ${known.join(', ')}.`,
    );
  return offered.filter(({ name }) => name === core || names.includes(name));
}
