import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { type ControlFiles, ToolkitError } from '../../kernel/index.ts';
import { nameFilterOf } from './name-filter.ts';

/** Folders that are found but not searched: their content has the same protection as the folder. */
const unsearchedFolders = new Set(['.git', 'node_modules', 'site-packages', 'dist-packages']);

export interface FoundFile {
  /** The kind of entry. A socket leads to another program of this machine. A folder that cannot be listed may hold anything. */
  readonly kind: 'control file' | 'socket' | 'closed folder';
  readonly path: string;
  /** The target of a link, else the path itself. Undefined for a link that leads to nothing. */
  readonly target: string | undefined;
  readonly isFolder: boolean;
  /** True when the file must not be opened at all. */
  readonly isSecret: boolean;
}

export interface TreeOptions {
  readonly controlFiles: ControlFiles;
  /** Folders that are left out with everything in them. */
  readonly excluded: ReadonlySet<string>;
  readonly maxEntries: number;
}

/**
 * Finds the control files below folders, also under their other names (hard links). A folder that cannot be listed counts as
 * secret. Throws EXECUTION_FAILED where there are more than `maxEntries`.
 */
export async function findControlFiles(folders: readonly string[], options: TreeOptions): Promise<readonly FoundFile[]> {
  const { controlFiles, excluded, maxEntries } = options;
  const names = await nameFilterOf(controlFiles);
  const found: FoundFile[] = [];
  const files: string[] = [];
  for (const folder of folders) {
    // Its content is protected with it, and the search only asks for names.
    if (controlFiles.find(folder, 'write') === undefined) continue;
    const isSecret = controlFiles.find(folder, 'read') !== undefined;
    found.push({ kind: 'control file', path: folder, target: folder, isFolder: true, isSecret });
  }
  let remaining = maxEntries;
  let level = folders.map((folder) => ({ folder, isHeld: false }));
  while (level.length > 0) {
    const next: typeof level = [];
    const read = await Promise.all(level.map(async ({ folder, isHeld }) => ({ folder, isHeld, entries: await entriesOf(folder) })));
    for (const { folder, isHeld, entries } of read) {
      if (entries === undefined) {
        found.push({ kind: 'closed folder', path: folder, target: folder, isFolder: true, isSecret: true });
        continue;
      }
      remaining -= entries.length;
      if (remaining < 0) throw tooManyError(maxEntries, folder);
      for (const entry of entries) {
        const entryPath = folder === '/' ? `/${entry.name}` : `${folder}/${entry.name}`;
        if (excluded.has(entryPath)) continue;
        const isControl = names.mayBeProtected(entry.name) && controlFiles.find(entryPath, 'write') !== undefined;
        const isSecret = isControl && controlFiles.find(entryPath, 'read') !== undefined;
        if (entry.isSocket()) found.push({ kind: 'socket', path: entryPath, target: entryPath, isFolder: false, isSecret: true });
        else if (isSecret || (isControl && !isHeld)) found.push(await toFoundFile(entryPath, entry, isSecret));
        else if (entry.isFile()) files.push(entryPath);
        if (entry.isDirectory() && !isSecret && !unsearchedFolders.has(entry.name))
          next.push({ folder: entryPath, isHeld: isHeld || isControl });
      }
    }
    level = next;
  }
  return [...found, ...(await findHardLinks(found, files))];
}

async function toFoundFile(entryPath: string, entry: Dirent, isSecret: boolean): Promise<FoundFile> {
  if (!entry.isSymbolicLink()) return { kind: 'control file', path: entryPath, target: entryPath, isFolder: entry.isDirectory(), isSecret };
  const target = await realpath(entryPath).catch(() => undefined);
  const stats = target === undefined ? undefined : await lstat(target).catch(() => undefined);
  const isFolder = stats?.isDirectory() === true;
  return { kind: 'control file', path: entryPath, target: stats === undefined ? undefined : target, isFolder, isSecret };
}

/** Returns undefined for a folder that this account may not list. A folder that is gone is empty. */
async function entriesOf(folder: string): Promise<Dirent[] | undefined> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
  }
}

/** Finds other names of the found files among the rest. Searches only where a found file has several names. */
async function findHardLinks(found: readonly FoundFile[], files: readonly string[]): Promise<FoundFile[]> {
  const linked = new Map<string, boolean>();
  for (const { target, isFolder, isSecret } of found) {
    const stats = isFolder || target === undefined ? undefined : await lstat(target, { bigint: true }).catch(() => undefined);
    if (stats === undefined || stats.nlink < 2n) continue;
    const key = `${stats.dev} ${stats.ino}`;
    linked.set(key, isSecret || linked.get(key) === true);
  }
  if (linked.size === 0) return [];
  const others = await Promise.all(
    files.map(async (file): Promise<FoundFile | undefined> => {
      const stats = await lstat(file, { bigint: true }).catch(() => undefined);
      const isSecret = stats === undefined ? undefined : linked.get(`${stats.dev} ${stats.ino}`);
      return isSecret === undefined ? undefined : { kind: 'control file', path: file, target: file, isFolder: false, isSecret };
    }),
  );
  return others.filter((other) => other !== undefined);
}

function tooManyError(maxEntries: number, folder: string): ToolkitError {
  const message = `The sandbox looks through ${maxEntries} files and folders below its roots, and there are more (at "${folder}"): it cannot tell which of them hold secrets, and nothing was started.`;
  return new ToolkitError(
    'EXECUTION_FAILED',
    `${message} Narrow "roots" of sandbox-bwrap, name large folders in "hidden", or raise "maxEntries".`,
    { maxEntries, retryable: false },
  );
}
