import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { pathExists } from '../files/folders.ts';

/**
 * Returns the kind of entry at a destination. Path confinement resolves links, so a remaining link leads nowhere:
 * EXECUTION_FAILED.
 */
export async function kindAt(destination: string): Promise<'nothing' | 'file' | 'folder'> {
  if (!(await pathExists(destination))) return 'nothing';
  const stats = await lstat(destination);
  if (stats.isSymbolicLink())
    throw destinationError(destination, 'is a symbolic link to something that does not exist. Name the path that you mean');
  return stats.isDirectory() ? 'folder' : 'file';
}

/** Returns the error for a destination that cannot be used as it is. */
export function destinationError(destination: string, why: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Nothing was written: "${excerpt(destination)}" ${why}.`, { file: destination });
}

/** Throws INVALID_PARAMETERS for a destination that is the source, or is inside it. */
export function refuseOverlap(source: string, destination: string): void {
  if (source !== destination && !isBelow(destination, source)) return;
  const message = `expected a path outside the source "${excerpt(source)}", received ${source === destination ? 'the source itself' : 'a path in it'}`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "destination": ${message}.`, { issues: [{ path: 'destination', message }] });
}

/** Returns true when a real path is in a folder, at any depth. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(nodePath.sep) ? folder : `${folder}${nodePath.sep}`);
}
