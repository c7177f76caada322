import { lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';

/**
 * True when another account has put this file or folder into a folder that every account can write to, such as `/tmp`: a search that finds
 * it would run that account's code. Files of the administrator are trusted. False when nothing exists there.
 */
export function isInUntrustedLocation(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || isOwnedByThisAccount(found) || found.uid === 0) return false;
  return (statSync(path.dirname(file)).mode & 0o002) !== 0;
}

/** True when this account owns the file. Always true on Windows, which has no such owners. */
export function isOwnedByThisAccount({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
