import { fstatSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import nodePath from 'node:path';

/**
 * True while an open file or folder is still the one at this real path, and no part of the path has become a symbolic link. Linux reports
 * the path of a descriptor; elsewhere the path must lead to the same inode again.
 */
export function isStillAt(descriptor: number, path: string): boolean {
  const currentPath = pathOfDescriptor(descriptor);
  // A file that was removed or replaced after it was opened, as by every atomic write, was at the path until then.
  if (currentPath !== undefined) return currentPath === path || currentPath === `${path} (deleted)`;
  const [opened, there] = [fstatSync(descriptor), lstatSync(path)];
  return isRealPath(path) && opened.ino === there.ino && opened.dev === there.dev;
}

/** Returns the path of an open file or folder. Undefined when the system does not report it. */
export function pathOfDescriptor(descriptor: number): string | undefined {
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
export function movedError(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path} was moved`), { code: 'ELOOP' });
}
