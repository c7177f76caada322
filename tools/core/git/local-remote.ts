import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { wrongParameter } from './failure.ts';
import { findEscapingReference, gitFoldersOf, pathExists } from './git-folder.ts';
import { configuredHook } from './programs.ts';
import { settingsOf } from './settings.ts';

interface LocalRemote {
  readonly name: string;
  /** Absolute path from the configuration. */
  readonly folder: string;
  /** Folder that must contain the remote. */
  readonly within: string;
  readonly direction: 'fetch' | 'push';
  readonly run: RunAgain;
}

/** Hooks that a push runs in the receiving repository (githooks). */
const receivingHooks = new Set([
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'reference-transaction',
  'push-to-checkout',
]);

/**
 * Throws INVALID_PARAMETERS or NOT_FOUND unless a remote on this machine is a repository that is inside `within` with all its
 * parts. Refuses a remote with hooks: a push would not run them, and the remote may rely on them.
 */
export async function checkLocalRemote({ name, folder, within, direction, run }: LocalRemote): Promise<void> {
  const badRemote = (expected: string): Error =>
    wrongParameter('remote', `expected ${expected}, received "${name}", which is ${excerpt(folder)}`);
  const gitFolders: string[] = [];
  // git searches for a repository at a path in this order.
  for (const candidate of [path.join(folder, '.git'), folder, path.join(`${folder}.git`, '.git'), `${folder}.git`]) {
    if (!(await pathExists(candidate))) continue;
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined || !isInside(real, within)) throw badRemote(`a remote inside ${excerpt(within)} (remote_folder)`);
    if (path.basename(candidate) === '.git' && !(await stat(real)).isDirectory())
      throw badRemote('a remote whose .git is a folder; that of a linked working tree or a submodule is a file');
    if (await pathExists(path.join(real, 'HEAD'))) gitFolders.push(real);
  }
  const [gitFolder] = gitFolders;
  if (gitFolder === undefined)
    throw wrongParameter(
      'remote',
      `expected a remote that exists, received "${name}", but there is no repository at ${excerpt(folder)}`,
      'NOT_FOUND',
    );
  const folders = await gitFoldersOf(gitFolder);
  const isWithin = (place: string): boolean => isInside(place, within);
  const out = isWithin(folders.common)
    ? await findEscapingReference(folders, isWithin)
    : { what: 'its common Git folder', to: folders.common };
  if (out !== undefined)
    throw badRemote(`a remote that keeps to ${excerpt(within)} (remote_folder), but ${out.what} leads to ${excerpt(out.to)}`);
  if (direction === 'push' && (await hasHooks(gitFolder, run))) {
    throw badRemote('a remote without hooks, because they would not run: push to this one in a terminal');
  }
}

async function hasHooks(gitFolder: string, run: RunAgain): Promise<boolean> {
  const { own } = await settingsOf(gitFolder, run);
  if (own.some(({ key }) => key === 'core.hookspath' || configuredHook.test(key))) return true;
  const folder = path.join(gitFolder, 'hooks');
  const names = (await readdir(folder).catch(() => [])).filter((name) => receivingHooks.has(name));
  const modes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name)).catch(() => undefined))?.mode ?? 0));
  return modes.some((mode) => process.platform === 'win32' || (mode & 0o111) !== 0);
}

const harmless = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=:',
  'receive.denyCurrentBranch=refuse',
  'receive.autogc=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

/**
 * Returns the shell command that serves a remote on this machine. git does not pass on the settings of the calling repository,
 * so the command repeats them. It fetches no missing objects from remotes of its own.
 */
export function servingCommand(program: 'upload-pack' | 'receive-pack'): string {
  return `GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none git ${harmless.map((setting) => `-c ${setting}`).join(' ')} ${program}`;
}
