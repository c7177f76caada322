import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ControlFiles, controlFileError, excerpt, type FileAccess, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { wrongParameter } from './failure.ts';
import { type GitFolders, gitFoldersOf, isThere, pathIn, realPlace, wayOut } from './git-folder.ts';
import { OpenFolders } from './open-folders.ts';
import { lastValue, type Setting, type Settings } from './settings.ts';
import { shown } from './shown.ts';

const topFolder = 'the top folder of a Git working tree, which holds .git';

export interface Around {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly controlFiles: ControlFiles;
  readonly run: RunAgain;
}

/**
 * The Git folders of a repository. Throws INVALID_PARAMETERS unless `repository` is the top of a working tree, the Git folders are its own
 * and no other working tree's, and git comes to nothing from them that is not open to tools: what lies in `repository` itself, or, of a
 * linked working tree, a submodule or a separate Git folder, what lies in the roots. Throws POLICY_DENIED where that belongs to control files.
 * `own`: the Git folder as `gitFolderOf` gave it.
 */
export async function confinedGitFolders(repository: string, own: string, access: FileAccess, around: Around): Promise<GitFolders> {
  if (own === repository) throw badRepository(repository, `${topFolder}, not a bare repository`);
  if (!(await isThere(path.join(repository, '.git')))) throw badRepository(repository, topFolder);
  const open = new OpenFolders(around.parameters);
  const isOwn = (place: string): boolean => isInside(place, repository);
  const refuseClosed = (folder: string): void => {
    if (isOwn(folder)) return;
    if (!open.isOpen(folder, access)) throw closed(repository, folder, access);
    const rule = around.controlFiles.find(aboveGit(folder), access);
    if (rule !== undefined) throw controlFileError(rule, access, folder);
  };
  // Before anything in it is read.
  refuseClosed(own);
  const folders = await gitFoldersOf(own);
  await refuseForeign(repository, folders);
  refuseClosed(folders.common);
  const isWithin = isOwn(own) && isOwn(folders.common);
  const top = aboveGit(folders.common);
  const out = await wayOut(folders, isWithin ? isOwn : (place) => isInside(place, top) && open.isOpen(place, access));
  if (out !== undefined)
    throw badRepository(repository, `a repository that keeps to its own folder, but ${out.what} leads to ${excerpt(out.to)}`);
  return folders;
}

/**
 * Throws INVALID_PARAMETERS for a Git folder that does not know the working tree as its own, by the same marks as git sets: with the index
 * of another working tree, what is in this one would be taken for changes of that one.
 */
async function refuseForeign(repository: string, { own, common }: GitFolders): Promise<void> {
  if (own === common) return;
  const file = (await pathIn(own, 'gitdir')) ?? own;
  const isKnown = path.dirname(own) === path.join(common, 'worktrees') && path.basename(file) === '.git';
  if (isKnown && (await realPlace(path.dirname(file))) === repository) return;
  throw badRepository(
    repository,
    `a linked working tree that its Git folder ${excerpt(own)} knows by this path. Tell the person you work for: where it was moved, "git worktree repair" in it mends this`,
  );
}

/** The folder that holds the working tree of a Git folder such as `project/.git/modules/lib`; one of another name stands for itself. */
function aboveGit(place: string): string {
  const parts = place.split(path.sep);
  const index = parts.findIndex((part) => part.toLowerCase() === '.git');
  return index <= 0 ? place : parts.slice(0, index).join(path.sep) || path.sep;
}

/** Throws INVALID_PARAMETERS when the repository says that its working tree, its refs or a file that git shows parts of is elsewhere. */
export async function refuseOtherPlaces(repository: string, folders: GitFolders, { own }: Settings): Promise<void> {
  // Of a linked working tree git takes these from config.worktree alone (gitrepository-layout).
  const isLinked = folders.own !== folders.common;
  const counted = own.filter(({ key, scope }) => !isLinked || scope === 'worktree' || !/^core\.(worktree|bare)$/.test(key));
  for (const setting of counted) {
    if (!(await leadsOut(setting, repository, folders.own))) continue;
    throw badRepository(
      repository,
      `a repository that keeps to its own folder, but its ${setting.key} leads to ${excerpt(shown(setting.value))}`,
    );
  }
  if (isLinked || folders.own === path.join(repository, '.git') || lastValue(counted, 'core.worktree') !== undefined) return;
  const isAnothers = path.basename(folders.own).toLowerCase() === '.git' || lastValue(counted, 'core.bare') === 'true';
  if (isAnothers)
    throw badRepository(
      repository,
      `a repository with a Git folder of its own, but its .git leads to ${excerpt(folders.own)}, which does not name this working tree (core.worktree)`,
    );
}

/** The settings of a repository that `refuseOtherPlaces` looks at, and no others, some of which hold passwords. */
export function settingsOfPlaces({ own }: Settings): Settings {
  const isLooked = ({ key }: Setting): boolean => /^core\.(worktree|bare)$|^extensions\.refstorage$/.test(key) || filesShown.has(key);
  return { own: own.filter(isLooked), users: [] };
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

/** The Git folder that git finds for a working tree, links resolved. Throws INVALID_PARAMETERS when there is none, or git does not trust it. */
export async function gitFolderOf(repository: string, run: RunAgain): Promise<string> {
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

function closed(repository: string, gitFolder: string, access: FileAccess): ToolkitError {
  // That of a linked working tree lies in the one that it needs as well.
  const folder = path.basename(path.dirname(gitFolder)) === 'worktrees' ? path.dirname(path.dirname(gitFolder)) : gitFolder;
  const open = access === 'read' ? 'open to tools' : 'open to tools for writing';
  return badRepository(
    repository,
    `a working tree whose Git folder is ${open}, but that of this one is ${excerpt(folder)}, outside of the roots. Tell the person you work for: the operator adds that folder to ${access === 'read' ? '"readRoots" or "roots"' : '"roots"'} of confine-paths. No other working tree has the same files`,
  );
}

function badRepository(repository: string, expected: string): ToolkitError {
  return wrongParameter('repository', `expected ${expected}, received "${excerpt(repository)}"`);
}

async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined))?.isDirectory() ?? false;
}
