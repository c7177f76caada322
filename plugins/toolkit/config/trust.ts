import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { isOwn, isPlanted } from '../../shared/project/planted.ts';

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
