import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ControlFileRule, ControlFiles, FileAccess } from '../../kernel/index.ts';

/** Limit of files and folders that are searched for other names. */
const maxEntries = 50_000;

/**
 * Finds the rule of a file with several names (hard links): the file is a control file when one of its other names is. Returns
 * undefined when none is found below `folders`, and `unknown` when there are too many files below them to tell.
 */
export async function findRuleByHardLink(
  file: string,
  access: FileAccess,
  controlFiles: ControlFiles,
  folders: readonly string[],
): Promise<ControlFileRule | 'unknown' | undefined> {
  const fileStats = await statsOf(file);
  if (fileStats === undefined || !fileStats.isFile() || fileStats.nlink < 2n) return undefined;
  const rulePaths = controlFiles.rules.map(({ pattern }) => pattern).filter((pattern) => path.isAbsolute(pattern));
  let remaining = maxEntries;
  const isSame = async (other: string): Promise<boolean> => {
    const stats = await statsOf(other);
    return stats !== undefined && stats.ino === fileStats.ino && stats.dev === fileStats.dev;
  };
  const search = async (entryPath: string, isFolder: boolean): Promise<ControlFileRule | 'unknown' | undefined> => {
    remaining -= 1;
    if (remaining < 0) return 'unknown';
    const rule = controlFiles.find(entryPath, access);
    if (!isFolder) return rule !== undefined && (await isSame(entryPath)) ? rule : undefined;
    // For reading, only files with secrets count. A folder of packages has none, and many files.
    const isKnownOpen = access === 'read' && rule === undefined && controlFiles.find(entryPath, 'write') !== undefined;
    if (isKnownOpen && !controlFiles.hidesBelow(entryPath)) return undefined;
    for (const entry of await entriesOf(entryPath)) {
      const found = await search(path.join(entryPath, entry.name), entry.isDirectory());
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const entryPath of new Set([...folders, ...rulePaths])) {
    const stats = await statsOf(entryPath);
    const found = stats === undefined ? undefined : await search(entryPath, stats.isDirectory());
    if (found !== undefined) return found;
  }
  return undefined;
}

async function statsOf(file: string): Promise<BigIntStats | undefined> {
  return lstat(file, { bigint: true }).catch(() => undefined);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
