import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import nodePath from 'node:path';

/**
 * True while an open file or folder is the one at this real path, and no part of the path has become a symbolic link since the path was
 * confined. Linux tells the place of a descriptor; elsewhere the path is followed once more and must lead to the same file.
 */
export function isUnmoved(descriptor: number, path: string): boolean {
  const place = placeOf(descriptor);
  // What was removed or replaced after it was opened, as by every atomic write, was there until then.
  if (place !== undefined) return place === path || place === `${path} (deleted)`;
  const [opened, there] = [fstatSync(descriptor), lstatSync(path)];
  return isRealPath(path) && opened.ino === there.ino && opened.dev === there.dev;
}

/** Returns the path of an open file or folder, as far as the system tells it. */
export function placeOf(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

/** True for a path that leads through no symbolic link. */
export function isRealPath(path: string): boolean {
  try {
    return realpathSync.native(path) === nodePath.resolve(path);
  } catch {
    return false;
  }
}

/** Makes the error for a path that has come to lead somewhere else since it was confined. */
export function moved(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} was moved`), { code: 'ELOOP' });
}
