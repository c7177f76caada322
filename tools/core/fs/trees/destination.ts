import { lstat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isThere } from '../files/folders.ts';

/** What is at a destination. Path confinement hands over where a link leads, so a link here leads to nothing: EXECUTION_FAILED. */
export async function kindAt(destination: string): Promise<'nothing' | 'file' | 'folder'> {
  if (!(await isThere(destination))) return 'nothing';
  const stats = await lstat(destination);
  if (stats.isSymbolicLink())
    throw inTheWay(destination, 'is a symbolic link to something that does not exist. Name the place that you mean');
  return stats.isDirectory() ? 'folder' : 'file';
}

/** For a destination that cannot be used as it is. */
export function inTheWay(destination: string, why: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Nothing was written: "${excerpt(destination)}" ${why}.`, { file: destination });
}

/** Throws INVALID_PARAMETERS for a destination that is the source, or lies in it. */
export function refuseOverlap(source: string, destination: string): void {
  if (source !== destination && !isBelow(destination, source)) return;
  const message = `expected a place outside of the source "${excerpt(source)}", received ${source === destination ? 'the same place' : 'a place in it'}`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "destination": ${message}.`, { issues: [{ path: 'destination', message }] });
}

/** Whether a real path lies in a folder, at any depth. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(nodePath.sep) ? folder : `${folder}${nodePath.sep}`);
}
