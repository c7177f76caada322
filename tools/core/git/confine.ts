import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { wrongParameter } from './failure.ts';
import { isThere, realPlace, wayOut } from './git-folder.ts';
import type { Setting, Settings } from './settings.ts';
import { shown } from './shown.ts';

const topFolder = 'the top folder of a Git working tree, which holds .git';

/**
 * The Git folder of a repository, links resolved. Throws INVALID_PARAMETERS unless `repository` is the top of a working tree and its
 * Git folder, with everything that git reads and writes there, lies in it: only that folder was checked to be open to tools.
 */
export async function confinedGitFolder(repository: string, run: RunAgain): Promise<string> {
  const gitFolder = await gitFolderOf(repository, run);
  if (gitFolder === repository) throw badRepository(repository, `${topFolder}, not a bare repository`);
  if (!(await isThere(path.join(repository, '.git')))) throw badRepository(repository, topFolder);
  if (!isInside(gitFolder, repository)) throw elsewhere(repository, gitFolder);
  const out = await wayOut(gitFolder, repository);
  if (out?.what === 'its common Git folder') throw elsewhere(repository, out.to);
  if (out !== undefined)
    throw badRepository(repository, `a repository that keeps to its own folder, but ${out.what} leads to ${excerpt(out.to)}`);
  return gitFolder;
}

/** Throws INVALID_PARAMETERS when the repository says that its working tree, its refs or a file that git shows parts of is elsewhere. */
export async function refuseOtherPlaces(repository: string, gitFolder: string, { own }: Settings): Promise<void> {
  for (const setting of own) {
    if (!(await leadsOut(setting, repository, gitFolder))) continue;
    throw badRepository(
      repository,
      `a repository that keeps to its own folder, but its ${setting.key} leads to ${excerpt(shown(setting.value))}`,
    );
  }
}

/** Of these git prints what it uses, or cannot use. */
const filesShown = new Set(['core.attributesfile', 'mailmap.file']);

async function leadsOut({ key, value }: Setting, repository: string, gitFolder: string): Promise<boolean> {
  if (key === 'core.worktree') return (await realPlace(path.resolve(gitFolder, value))) !== repository;
  // A kind of storage alone is in the Git folder; as a URI it may be anywhere.
  if (key === 'extensions.refstorage') return value.includes(':');
  if (!filesShown.has(key) || value === '') return false;
  // What git writes before a path to mean another folder (git-config, pathname).
  return /^(~|%\(|:\()/.test(value) || !isInside(await realPlace(path.resolve(repository, value)), repository);
}

async function gitFolderOf(repository: string, run: RunAgain): Promise<string> {
  if (!(await isFolder(repository))) throw badRepository(repository, topFolder);
  const args = ['-C', repository, '-c', 'safe.bareRepository=explicit', 'rev-parse', '--absolute-git-dir'];
  const { stdout, stderr, exitCode } = await run(args);
  if (exitCode === 0) return realpath(stdout.replace(/\n$/, ''));
  // Not translated, as the rest of what git says may be here.
  if (stderr.includes('safe.directory')) {
    throw badRepository(
      repository,
      `a repository that belongs to the user of this service. Its owner is another one; who trusts it adds it to safe.directory: git config --global --add safe.directory <folder>`,
    );
  }
  const isBare = (await isThere(path.join(repository, 'HEAD'))) && (await isFolder(path.join(repository, 'objects')));
  if (isBare) throw badRepository(repository, `${topFolder}, not a bare repository`);
  if (!(await isThere(path.join(repository, '.git'))) || /not a git repository/.test(stderr)) throw badRepository(repository, topFolder);
  throw new ToolkitError('EXECUTION_FAILED', `git gave up: ${excerpt(shown(stderr))}`, { exitCode });
}

function elsewhere(repository: string, gitFolder: string): ToolkitError {
  const why = 'a linked working tree or a submodule, perhaps. Open the main repository instead';
  return badRepository(repository, `a repository with its Git folder inside of it, but this one has it at ${excerpt(gitFolder)}: ${why}`);
}

function badRepository(repository: string, expected: string): ToolkitError {
  return wrongParameter('repository', `expected ${expected}, received "${excerpt(repository)}"`);
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
}
