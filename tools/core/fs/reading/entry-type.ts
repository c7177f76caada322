import type { Dirent } from 'node:fs';

export type EntryType = 'file' | 'directory' | 'symlink' | 'other';

/** Returns the type of an entry; a link is a link, wherever it leads. */
export function entryType(entry: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryType {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
