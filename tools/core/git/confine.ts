import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ControlFiles, controlFileError, excerpt, type FileAccess, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { isInside } from '../../../plugins/shared/project/is-inside.ts';
import { wrongParameter } from './failure.ts';
import { findEscapingReference, type GitFolders, gitFoldersOf, pathExists, pathIn, resolvePath } from './git-folder.ts';
import { maskCredentials } from './mask-credentials.ts';
import { OpenFolders } from './open-folders.ts';
import { lastValue, type Setting, type Settings } from './settings.ts';

const topFolder = 'the top folder of a Git working tree, which holds .git';

export interface GitContext {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly controlFiles: ControlFiles;
  readonly run: RunAgain;
}

/**
 * Returns the Git folders of a repository. Throws INVALID_PARAMETERS unless three conditions hold: `repository` is the top of a
 * working tree; the Git folders belong to it and to no other working tree; and all that git reaches from them is open to tools.
 * Open is the content of `repository` itself; for a linked working tree, a submodule or a separate Git folder, the content of
 * the roots. Throws POLICY_DENIED for Git folders that are control files. `own`: the Git folder that `gitFolderOf` returned.
 */
export async function confinedGitFolders(repository: string, own: string, access: FileAccess, context: GitContext): Promise<GitFolders> {
  if (own === repository) throw badRepository(repository, `${topFolder}, not a bare repository`);
  if (!(await pathExists(path.join(repository, '.git')))) throw badRepository(repository, topFolder);
  const open = new OpenFolders(context.parameters);
  const isOwn = (place: string): boolean => isInside(place, repository);
  const refuseClosed = (folder: string): void => {
    if (isOwn(folder)) return;
    if (!open.isOpen(folder, access)) throw closed(repository, folder, access);
    const rule = context.controlFiles.find(workingTreeFolder(folder), access);
    if (rule !== undefined) throw controlFileError(rule, access, folder);
  };
  // Checked before any file in it is read.
  refuseClosed(own);
  const folders = await gitFoldersOf(own);
  await refuseForeign(repository, folders);
  refuseClosed(folders.common);
  const isWithin = isOwn(own) && isOwn(folders.common);
  const top = workingTreeFolder(folders.common);
  const out = await findEscapingReference(folders, isWithin ? isOwn : (place) => isInside(place, top) && open.isOpen(place, access));
  if (out !== undefined)
    throw badRepository(repository, `a repository that keeps to its own folder, but ${out.what} leads to ${excerpt(out.to)}`);
  return folders;
}

/**
 * Throws INVALID_PARAMETERS for a Git folder that does not belong to the working tree, by the same references that git sets.
 * With the index of another working tree, git would report the files here as changes of that tree.
 */
async function refuseForeign(repository: string, { own, common }: GitFolders): Promise<void> {
  if (own === common) return;
  const file = (await pathIn(own, 'gitdir')) ?? own;
  const isKnown = path.dirname(own) === path.join(common, 'worktrees') && path.basename(file) === '.git';
  if (isKnown && (await resolvePath(path.dirname(file))) === repository) return;
  throw badRepository(
    repository,
    `a linked working tree that its Git folder ${excerpt(own)} knows by this path. Tell the person you work for: where it was moved, "git worktree repair" in it mends this`,
  );
}

/**
 * Returns the folder of the working tree for a Git folder such as `project/.git/modules/lib`; the folder itself when no part of
 * its path is `.git`.
 */
function workingTreeFolder(place: string): string {
  const parts = place.split(path.sep);
  const index = parts.findIndex((part) => part.toLowerCase() === '.git');
  return index <= 0 ? place : parts.slice(0, index).join(path.sep) || path.sep;
}

/**
 * Throws INVALID_PARAMETERS when the repository configures a working tree, refs, or a file that git prints parts of, outside of
 * itself.
 */
export async function refuseOutsidePaths(repository: string, folders: GitFolders, { own }: Settings): Promise<void> {
  // For a linked working tree git takes these from config.worktree alone (gitrepository-layout).
  const isLinked = folders.own !== folders.common;
  const counted = own.filter(({ key, scope }) => !isLinked || scope === 'worktree' || !/^core\.(worktree|bare)$/.test(key));
  for (const setting of counted) {
    if (!(await leadsOut(setting, repository, folders.own))) continue;
    throw badRepository(
      repository,
      `a repository that keeps to its own folder, but its ${setting.key} leads to ${excerpt(maskCredentials(setting.value))}`,
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

/** Returns the settings that `refuseOutsidePaths` checks, and no others: some of those hold passwords. */
export function pathSettings({ own }: Settings): Settings {
  const isLooked = ({ key }: Setting): boolean => /^core\.(worktree|bare)$|^extensions\.refstorage$/.test(key) || filesShown.has(key);
  return { own: own.filter(isLooked), users: [] };
}

/** Settings of files from which git prints entries or error messages. */
const filesShown = new Set(['core.attributesfile', 'mailmap.file']);

async function leadsOut({ key, value }: Setting, repository: string, gitFolder: string): Promise<boolean> {
  if (key === 'core.worktree') return (await resolvePath(path.resolve(gitFolder, value))) !== repository;
  // The name of a storage format stays in the Git folder; a URI may lead anywhere.
  if (key === 'extensions.refstorage') return value.includes(':');
  if (!filesShown.has(key) || value === '') return false;
  // Prefixes that make git resolve a path from another folder (git-config, pathname).
  return /^(~|%\(|:\()/.test(value) || !isInside(await resolvePath(path.resolve(repository, value)), repository);
}

/**
 * Returns the Git folder that git finds for a working tree, with links resolved. Throws INVALID_PARAMETERS when there is none,
 * or git does not trust it.
 */
export async function gitFolderOf(repository: string, run: RunAgain): Promise<string> {
  if (!(await isFolder(repository))) throw badRepository(repository, topFolder);
  const args = ['-C', repository, '-c', 'safe.bareRepository=explicit', 'rev-parse', '--absolute-git-dir'];
  const { stdout, stderr, exitCode } = await run(args);
  if (exitCode === 0) return realpath(stdout.replace(/\n$/, ''));
  // The name of the setting is not translated, unlike the rest of the message.
  if (stderr.includes('safe.directory')) {
    throw badRepository(
      repository,
      `a repository that belongs to the user of this service. Its owner is another one; who trusts it adds it to safe.directory: git config --global --add safe.directory <folder>`,
    );
  }
  const isBare = (await pathExists(path.join(repository, 'HEAD'))) && (await isFolder(path.join(repository, 'objects')));
  if (isBare) throw badRepository(repository, `${topFolder}, not a bare repository`);
  if (!(await pathExists(path.join(repository, '.git'))) || /not a git repository/.test(stderr)) throw badRepository(repository, topFolder);
  throw new ToolkitError('EXECUTION_FAILED', `git failed: ${excerpt(maskCredentials(stderr))}`, { exitCode });
}

function closed(repository: string, gitFolder: string, access: FileAccess): ToolkitError {
  // The Git folder of a linked working tree is inside the common one, which must be open too.
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
