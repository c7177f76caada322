import os from 'node:os';
import { type CommandInvocation, didYouMean, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { isInstalled, locationOf, projectClients, projectLocationOf } from './clients/client-locations.ts';
import { clients, tokenEnvName } from './clients/clients.ts';
import type { ClientTarget } from './configurations.ts';
import type { Machine } from './machine.ts';
import type { Transport } from './names.ts';
import { type Project, readProject } from './project.ts';
import { core, type ToolGroup } from './scan.ts';
import type { SetupFlags } from './setup-flags.ts';

/** `toolkit mcp setup`: asks at a terminal, else prints. */
export async function runSetup(invocation: CommandInvocation): Promise<void> {
  const { flags, terminal, env } = invocation;
  const names = flags['client'] as readonly string[] | undefined;
  if (flags['write'] === true && names === undefined)
    throw new ToolkitError('INVALID_PARAMETERS', '--write needs the client whose file is written, such as --client cursor.');
  const usesProjectFiles = flags['projectFile'] === true;
  checkUndoFlags(flags, names);
  const machine: Machine = { platform: process.platform, env, home: homeOf(env) };
  if (flags['remove'] === true || flags['undo'] === true) {
    const targets = await findTargets(names, machine, usesProjectFiles ? projectFolder(invocation.configFile) : undefined);
    const { removeOrUndo: takeBack } = await import('./remove-or-undo.ts');
    return takeBack(invocation, targets, flags['name'] as string, flags['undo'] === true);
  }
  const project = await readProject(invocation);
  const transport = flags['transport'] as Transport | undefined;
  const offered = offeredGroups(project, flags['core'] !== false);
  const groups = parseProviders(offered, flags['providers'] as readonly string[] | undefined);
  const given: SetupFlags = {
    ...(transport === undefined ? {} : { transport }),
    offered,
    ...(groups === undefined ? {} : { groups }),
    targets: await findTargets(names, machine, usesProjectFiles ? project.folder : undefined),
    hasClients: names !== undefined,
    name: flags['name'] as string,
    usesProjectFiles,
    isReplaced: flags['replace'] === true,
    ...(flags['writeToken'] === true ? { token: tokenOf(env, project) } : {}),
    runsTest: flags['test'] !== false,
    writesFiles: flags['write'] === true,
    printsJson: flags['json'] === true,
  };
  const usesWizard = terminal.isInteractive && terminal.isTerminal && !given.printsJson && !given.writesFiles;
  if (usesWizard) await (await import('./wizard.ts')).askAndWrite(invocation, project, given);
  else await (await import('./non-interactive.ts')).printAndWrite(invocation, project, given);
}

function homeOf(env: CommandInvocation['env']): string {
  return (process.platform === 'win32' ? env['USERPROFILE'] : env['HOME']) || os.homedir();
}

/**
 * `folder`: the project whose files are meant; undefined for the files of all projects. Throws INVALID_PARAMETERS for a named client
 * without a project file.
 */
async function findTargets(
  names: readonly string[] | undefined,
  machine: Machine,
  folder: string | undefined,
): Promise<readonly ClientTarget[]> {
  const unknownName = folder === undefined ? undefined : names?.find((name) => !projectClients.includes(name));
  if (unknownName !== undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `"${unknownName}" reads no file of a project. Those that do: ${projectClients.join(', ')}. Leave --project-file out.`,
    );
  const wanted = clients.filter(({ name }) => names?.includes(name) ?? (folder === undefined || projectClients.includes(name)));
  return Promise.all(
    wanted.map(async (client) => {
      const location = folder === undefined ? await locationOf(client.name, machine) : projectLocationOf(client.name, folder);
      return location === undefined
        ? { client, isInstalled: false }
        : { client, file: location.file, isInstalled: await isInstalled(location) };
    }),
  );
}

/** Throws INVALID_PARAMETERS for `--remove` or `--undo` without a client, or for both. */
function checkUndoFlags(flags: CommandInvocation['flags'], names: readonly string[] | undefined): void {
  const asked = ['remove', 'undo'].filter((flag) => flags[flag] === true);
  if (asked.length === 2) throw new ToolkitError('INVALID_PARAMETERS', '--remove and --undo contradict each other. Leave one out.');
  if (asked.length === 1 && names === undefined)
    throw new ToolkitError('INVALID_PARAMETERS', `--${asked[0]} needs the client whose file is changed, such as --client cursor.`);
}

/** Returns the server's token. Throws INVALID_PARAMETERS when it is unknown. */
function tokenOf(env: CommandInvocation['env'], project: Project): string {
  const token = env[tokenEnvName] || project.scan.server.mcpToken;
  if (token !== undefined && token !== '') return token;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `--write-token needs the token: set the variable ${tokenEnvName}, as for the server itself.`,
  );
}

/** Returns the groups to choose from. Throws INVALID_PARAMETERS when there are none. */
function offeredGroups({ scan: { groups } }: Project, hasCore: boolean): readonly ToolGroup[] {
  const offered = hasCore ? groups : groups.filter(({ name }) => name !== core);
  if (offered.length > 0) return offered;
  throw new ToolkitError('INVALID_PARAMETERS', 'There are no tools but the core tools, and --no-core leaves them out. Leave the flag out.');
}

/** Returns the groups of `--providers` and the core tools. Throws INVALID_PARAMETERS for an unknown provider. */
function parseProviders(offered: readonly ToolGroup[], names: readonly string[] | undefined): readonly ToolGroup[] | undefined {
  if (names === undefined) return undefined;
  const known = offered.map(({ name }) => name);
  const unknownName = names.find((name) => !known.includes(name));
  if (unknownName !== undefined || names.length === 0)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `--providers names "${excerpt(unknownName ?? '', 100)}", of which there are no tools.${didYouMean(unknownName ?? '', known)} There are: ${known.join(', ')}.`,
    );
  return offered.filter(({ name }) => name === core || names.includes(name));
}
