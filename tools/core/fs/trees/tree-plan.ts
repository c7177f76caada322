import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { GitExclusions } from '../files/git-exclusions.ts';
import { runParallel } from '../files/parallel.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { staysInside } from './link-target.ts';

export interface PlannedEntry {
  /** Path relative to the top folder, with `/` between names; empty for the top itself. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** Size of a file in bytes, else 0. */
  readonly size: number;
  readonly mode: number;
  /** User and group ids. */
  readonly owner: readonly [number, number];
  readonly accessedAtMs: number;
  readonly modifiedAtMs: number;
  /** Text of a link. */
  readonly target?: string;
}

/** `special`: a pipe, a socket or a device. */
export type EntryKind = PlannedEntry['kind'] | 'special';

/** Entry before the target of a link is checked. */
interface FoundEntry extends Omit<PlannedEntry, 'kind'> {
  readonly kind: EntryKind;
}

/** Entries to copy or move. */
export interface TreePlan {
  readonly entries: readonly PlannedEntry[];
  /** Relative paths of git's own files, which are no part of the plan. */
  readonly leftOut: readonly string[];
}

interface PlanOptions {
  /** Verb for messages. */
  readonly action: string;
  /** Absolute paths to exclude, with everything below them. */
  readonly skip?: ReadonlySet<string>;
  /** Returns true for an entry that is not entered, by its path relative to the top folder; the caller then refuses the plan. */
  readonly isBlocked?: (path: string, kind: EntryKind) => boolean;
  /** Allows links with an absolute path inside the folder. @default false */
  readonly absoluteLinks?: boolean;
  readonly signal?: AbortSignal;
  /** Maximum number of entries. */
  readonly maxEntries?: number;
  /** Includes git's own files. @default false */
  readonly keepsGit?: boolean;
}

interface Walk extends PlanOptions {
  readonly leftOut: GitExclusions;
}

/**
 * Plans a file, or a folder with everything in it except git's own files: folders before their content, names in code unit
 * order. Refuses entries that cannot be copied (pipes, sockets, devices) and links that lead out of the folder, by name:
 * EXECUTION_FAILED. Else it throws what `node:fs` throws.
 */
export async function planTree(top: string, options: PlanOptions): Promise<TreePlan> {
  const plan: PlannedEntry[] = [];
  const leftOut = new GitExclusions(top);
  const add = async (found: FoundEntry): Promise<void> => {
    plan.push(await planned(top, found, options));
    if (plan.length > (options.maxEntries ?? Number.POSITIVE_INFINITY)) throw tooMany(top, options);
    if (found.kind !== 'folder') return;
    for (const member of await membersOf(top, found.path, { ...options, leftOut }))
      if (options.isBlocked?.(member.path, member.kind) !== true) await add(member);
  };
  const stats = await lstat(top);
  if (!isRealPath(top)) throw movedError(top);
  await add(foundAt('', stats));
  return { entries: plan, leftOut: leftOut.paths };
}

async function membersOf(top: string, path: string, { skip, signal, keepsGit = false, leftOut }: Walk): Promise<FoundEntry[]> {
  signal?.throwIfAborted();
  const folder = nodePath.join(top, path);
  const wanted = (await readdir(folder)).filter((name) => !(skip?.has(nodePath.join(folder, name)) ?? false)).sort();
  const names = keepsGit ? wanted : leftOut.filter(folder, wanted, (name) => name);
  const members: FoundEntry[] = [];
  await runParallel(names.entries(), 16, async ([index, name]) => {
    members[index] = foundAt(path === '' ? name : `${path}/${name}`, await lstat(nodePath.join(folder, name)));
  });
  // The folder may have become a link since it was listed; nothing behind a link is planned.
  if (!isRealPath(folder)) throw movedError(folder);
  return members;
}

/** Copies the needed members of `Stats`, which is several times as large: a folder may hold 100,000 entries. */
function foundAt(path: string, stats: Stats): FoundEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'special';
  return {
    path,
    kind,
    size: kind === 'file' ? stats.size : 0,
    mode: stats.mode,
    owner: [stats.uid, stats.gid],
    accessedAtMs: stats.atimeMs,
    modifiedAtMs: stats.mtimeMs,
  };
}

async function planned(top: string, found: FoundEntry, options: PlanOptions): Promise<PlannedEntry> {
  if (isPlain(found)) return found;
  const { path, kind } = found;
  const file = nodePath.join(top, path);
  if (kind === 'special') throw refused(file, options, 'is a pipe, a socket or a device. Leave it out');
  const target = await readlink(file);
  const isInside = staysInside(target, path) || (options.absoluteLinks === true && (await isAbsoluteInside(target, top)));
  if (path === '' || !isInside) {
    throw refused(file, options, `is a symbolic link that leads out of the folder, to "${excerpt(target)}". Remove it, or leave it out`);
  }
  return { ...found, kind, target };
}

function isPlain(found: FoundEntry): found is PlannedEntry {
  return found.kind === 'file' || found.kind === 'folder';
}

async function isAbsoluteInside(target: string, top: string): Promise<boolean> {
  if (!nodePath.isAbsolute(target)) return false;
  const real = await realpath(target).catch(() => undefined);
  return real !== undefined && (real === top || real.startsWith(`${top}${nodePath.sep}`));
}

function refused(file: string, { action }: PlanOptions, why: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Cannot ${action}: "${excerpt(file)}" ${why}. Nothing was changed.`, { file });
}

function tooMany(top: string, { action, maxEntries }: PlanOptions): ToolkitError {
  const message = `Cannot ${action} "${excerpt(top)}": it holds more than ${maxEntries} files and folders. Choose a part of it.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: top });
}
