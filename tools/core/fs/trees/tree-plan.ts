import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { inLanes } from '../files/in-lanes.ts';
import { isRealPath, moved } from '../files/unmoved.ts';
import { staysInside } from './link-target.ts';

export interface PlannedEntry {
  /** Below the top folder, with `/` between names; empty for what is at the top. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link';
  /** Bytes of a file, else 0. */
  readonly size: number;
  readonly mode: number;
  /** User and group. */
  readonly owner: readonly [number, number];
  readonly accessedAtMs: number;
  readonly modifiedAtMs: number;
  /** The text of a link. */
  readonly target?: string;
}

interface PlanOptions {
  /** What is to be done, for messages. */
  readonly action: string;
  /** Absolute paths to leave out, with everything below them. */
  readonly skip?: ReadonlySet<string>;
  /** Tells, by its place below the top folder, what is not looked into; the caller refuses the plan then. */
  readonly isHeld?: (path: string, stats: Stats) => boolean;
  /** Allows links that give an absolute path inside of the folder. @default false */
  readonly absoluteLinks?: boolean;
  readonly signal?: AbortSignal;
  /** Entries at most. */
  readonly maxEntries?: number;
}

/**
 * What is to be done with a file, or with a folder and everything in it: folders before what they hold, names in code unit order. Refuses what
 * has no copy (pipes, sockets, devices) and links that lead out of the folder, by name: EXECUTION_FAILED. Else it throws what `node:fs` throws.
 */
export async function planTree(top: string, options: PlanOptions): Promise<PlannedEntry[]> {
  const plan: PlannedEntry[] = [];
  const add = async (path: string, stats: Stats): Promise<void> => {
    const entry = await planEntry(top, path, stats, options);
    plan.push(entry);
    if (plan.length > (options.maxEntries ?? Number.POSITIVE_INFINITY)) throw tooMany(top, options);
    if (entry.kind !== 'folder') return;
    for (const [name, below] of await membersOf(nodePath.join(top, path), options)) {
      const place = path === '' ? name : `${path}/${name}`;
      if (options.isHeld?.(place, below) !== true) await add(place, below);
    }
  };
  const stats = await lstat(top);
  if (!isRealPath(top)) throw moved(top);
  await add('', stats);
  return plan;
}

async function membersOf(folder: string, { skip, signal }: PlanOptions): Promise<[string, Stats][]> {
  signal?.throwIfAborted();
  const names = (await readdir(folder)).filter((name) => !(skip?.has(nodePath.join(folder, name)) ?? false)).sort();
  const stats = new Map<string, Stats>();
  await inLanes(names, 16, async (name) => void stats.set(name, await lstat(nodePath.join(folder, name))));
  // What was listed is what is here, and not behind a link that has come since.
  if (!isRealPath(folder)) throw moved(folder);
  return names.flatMap((name) => {
    const found = stats.get(name);
    return found === undefined ? [] : [[name, found]];
  });
}

async function planEntry(top: string, path: string, stats: Stats, options: PlanOptions): Promise<PlannedEntry> {
  const facts = {
    path,
    mode: stats.mode,
    owner: [stats.uid, stats.gid],
    accessedAtMs: stats.atimeMs,
    modifiedAtMs: stats.mtimeMs,
  } as const;
  if (stats.isDirectory()) return { ...facts, kind: 'folder', size: 0 };
  if (stats.isFile()) return { ...facts, kind: 'file', size: stats.size };
  const file = nodePath.join(top, path);
  if (!stats.isSymbolicLink()) throw refused(file, options, 'is a pipe, a socket or a device. Leave it out');
  const target = await readlink(file);
  const isInside = staysInside(target, path) || (options.absoluteLinks === true && (await isAbsoluteInside(target, top)));
  if (path === '' || !isInside) {
    throw refused(file, options, `is a symbolic link that leads out of the folder, to "${excerpt(target)}". Remove it, or leave it out`);
  }
  return { ...facts, kind: 'link', size: 0, target };
}

async function isAbsoluteInside(target: string, top: string): Promise<boolean> {
  if (!nodePath.isAbsolute(target)) return false;
  const real = await realpath(target).catch(() => undefined);
  return real !== undefined && (real === top || real.startsWith(`${top}${nodePath.sep}`));
}

function refused(file: string, { action }: PlanOptions, why: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Nothing was done to ${action}: "${excerpt(file)}" ${why}.`, { file });
}

function tooMany(top: string, { action, maxEntries }: PlanOptions): ToolkitError {
  const message = `Nothing was done to ${action} "${excerpt(top)}": it holds more than ${maxEntries} files and folders. Take a part of it.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: top });
}
