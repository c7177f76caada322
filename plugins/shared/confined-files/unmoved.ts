import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import nodePath from 'node:path';

/**
 * True while an open file or folder is still the one at this real path, and no part of the path has become a symbolic link. Linux reports
 * the path of a descriptor; elsewhere the path must lead to the same inode again.
 */
export function isUnmoved(descriptor: number, path: string): boolean {
  const place = placeOf(descriptor);
  // A file that was removed or replaced after it was opened, as by every atomic write, was at the path until then.
  if (place !== undefined) return place === path || place === `${path} (deleted)`;
  const [opened, there] = [fstatSync(descriptor), lstatSync(path)];
  return isRealPath(path) && opened.ino === there.ino && opened.dev === there.dev;
}

/** Returns the path of an open file or folder. Undefined when the system does not report it. */
export function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** True when the path leads through no symbolic link. */
export function isRealPath(path: string): boolean {
  try {
    return realpathSync.native(path) === nodePath.resolve(path);
  } catch {
    return false;
  }
}

/** Returns the error for a path that leads elsewhere since it was confined. */
export function moved(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} was moved`), { code: 'ELOOP' });
}
