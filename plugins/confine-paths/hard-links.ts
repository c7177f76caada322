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
export async function ruleOfOtherName(
  file: string,
  access: FileAccess,
  controlFiles: ControlFiles,
  folders: readonly string[],
): Promise<ControlFileRule | 'unknown' | undefined> {
  const own = await statsOf(file);
  if (own === undefined || !own.isFile() || own.nlink < 2n) return undefined;
  const places = controlFiles.rules.map(({ pattern }) => pattern).filter((pattern) => path.isAbsolute(pattern));
  let left = maxEntries;
  const isSame = async (other: string): Promise<boolean> => {
    const stats = await statsOf(other);
    return stats !== undefined && stats.ino === own.ino && stats.dev === own.dev;
  };
  const look = async (place: string, isFolder: boolean): Promise<ControlFileRule | 'unknown' | undefined> => {
    left -= 1;
    if (left < 0) return 'unknown';
    const rule = controlFiles.find(place, access);
    if (!isFolder) return rule !== undefined && (await isSame(place)) ? rule : undefined;
    // For reading, only files with secrets count. A folder of packages has none, and many files.
    const isKnownOpen = access === 'read' && rule === undefined && controlFiles.find(place, 'write') !== undefined;
    if (isKnownOpen && !controlFiles.hidesBelow(place)) return undefined;
    for (const entry of await entriesOf(place)) {
      const found = await look(path.join(place, entry.name), entry.isDirectory());
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const place of new Set([...folders, ...places])) {
    const stats = await statsOf(place);
    const found = stats === undefined ? undefined : await look(place, stats.isDirectory());
    if (found !== undefined) return found;
  }
  return undefined;
}

async function statsOf(place: string): Promise<BigIntStats | undefined> {
  return lstat(place, { bigint: true }).catch(() => undefined);
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
