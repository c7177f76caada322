import { type Dirent, readlinkSync, type Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import { folderAt } from '../files/folder-at.ts';
import { runParallel } from '../files/parallel.ts';
import { isRealPath, movedError } from '../files/path-race.ts';
import { type EntryType, entryType } from '../reading/entry-type.ts';

interface ListParameters {
  readonly path: string;
  readonly include_hidden: boolean;
  readonly sort: 'name' | 'size' | 'modified';
  readonly max_entries: number;
}

interface Entry {
  readonly name: string;
  readonly type: EntryType;
  /** Size of a file, in bytes. */
  readonly size?: number;
  /** Time in ISO 8601, UTC. */
  readonly modified_at?: string;
  /** Text of a link. */
  readonly target?: string;
}

interface ListResult extends UnreadableResult {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly truncated: boolean;
}

/** Lists the direct entries of a folder. Throws NOT_FOUND and EXECUTION_FAILED. */
export async function listDirectory(parameters: ListParameters, { signal }: FunctionContext): Promise<ListResult> {
  const { include_hidden, sort, max_entries } = parameters;
  const path = await folderAt(parameters.path);
  try {
    const all = (await readdir(path, { withFileTypes: true })).filter(({ name }) => include_hidden || !name.startsWith('.'));
    all.sort((a, b) => (a.name < b.name ? -1 : 1));
    const unreadable = new Unreadable(path);
    const known = await statsOf(path, sort === 'name' ? all.slice(0, max_entries) : all, { signal, unreadable });
    if (!isRealPath(path)) throw movedError(path);
    if (sort !== 'name') {
      const rank = ({ name }: Dirent): number => (sort === 'size' ? sizeOf(known.get(name)) : known.get(name)?.mtimeMs) ?? -1;
      all.sort((a, b) => rank(b) - rank(a));
    }
    const entries = all.slice(0, max_entries).map((entry) => describe(path, entry, known.get(entry.name)));
    return { entries, total: all.length, truncated: all.length > max_entries, ...unreadable.result };
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'list', path);
  }
}

/** Returns the facts of the entries, by name. Omits an entry that is gone or cannot be read. */
async function statsOf(
  folder: string,
  entries: readonly Dirent[],
  { signal, unreadable }: { readonly signal: AbortSignal; readonly unreadable: Unreadable },
): Promise<ReadonlyMap<string, Stats>> {
  const known = new Map<string, Stats>();
  await runParallel(entries, 16, async ({ name }) => {
    signal.throwIfAborted();
    const path = nodePath.join(folder, name);
    const stats = await lstat(path).catch((error: unknown) => unreadable.add(path, error));
    if (stats) known.set(name, stats);
  });
  return known;
}

function describe(folder: string, entry: Dirent, stats: Stats | undefined): Entry {
  const type = entryType(stats ?? entry);
  const size = sizeOf(stats);
  const target = type === 'symlink' ? linkText(nodePath.join(folder, entry.name)) : undefined;
  return {
    name: entry.name,
    type,
    ...(size === undefined ? {} : { size }),
    ...(stats === undefined ? {} : { modified_at: stats.mtime.toISOString() }),
    ...(target === undefined ? {} : { target }),
  };
}

/** Returns the size of a file. Sizes of other entries differ between systems. */
function sizeOf(stats: Stats | undefined): number | undefined {
  return stats?.isFile() === true ? stats.size : undefined;
}

function linkText(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
