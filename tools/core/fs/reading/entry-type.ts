import type { Dirent } from 'node:fs';

export type EntryType = 'file' | 'directory' | 'symlink' | 'other';

/** What something is, a link being a link and not what it leads to. */
export function entryType(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
