import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from './errors.ts';

/**
 * True where another account has put this file or folder into one that every account may write to, such as `/tmp`: a search that comes upon
 * it would run what that account likes. The administrator may do that anyway. False where nothing is.
 */
export function isPlanted(place: string): boolean {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined || isOwn(found) || found.uid === 0) return false;
  return (statSync(path.dirname(place)).mode & 0o002) !== 0;
}

/** Throws CONFIG_INVALID for a file that `isPlanted`. */
export function refuseForeignConfig(file: string): void {
  if (!isPlanted(file)) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${file} belongs to another account and lies in a folder that every account may write to, so it was not loaded. Name the file (--config) to load it all the same, or start in a folder of yours.`,
    { file },
  );
}

/**
 * The folder `.cache/toolkit` in this node_modules, for this account alone. False where it, or a part of its path, is of somebody else: what
 * lies there is not run.
 */
export function ownCache(modules: string): string | false {
  try {
    // Where links lead now: whoever owns one could turn it afterwards.
    const real = realpathSync(modules);
    if (!isOwn(statSync(real))) return false;
    const cache = path.join(real, '.cache', 'toolkit');
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const isPrivate = process.getuid === undefined || (statSync(cache).mode & 0o077) === 0;
    return realpathSync(cache) === cache && isOwn(statSync(path.dirname(cache))) && isOwn(statSync(cache)) && isPrivate ? cache : false;
  } catch {
    return false;
  }
}

/** Windows knows no such owners. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
