import { lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/**
 * True where another account has put this file or folder into one that every account may write to, such as `/tmp`: a search that comes upon
 * it would run what that account likes. The administrator may do that anyway. False where nothing is.
 */
export function isPlanted(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined || isOwn(found) || found.uid === 0) return false;
  return (statSync(path.dirname(place)).mode & 0o002) !== 0;
}

/** Windows knows no such owners. */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
