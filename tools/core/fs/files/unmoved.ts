import { rm } from 'node:fs/promises';
import { isStillAt, movedError, pathOfDescriptor } from '../../../../plugins/shared/confined-files/path-race.ts';

export { isRealPath, isStillAt as isUnmoved, movedError as moved } from '../../../../plugins/shared/confined-files/path-race.ts';

/**
 * For a file that was just made at a path: throws where that leads to another place by now. The file is removed first, from the folder in
 * which it was made, as far as the system tells which one that is.
 */
export async function refuseMoved(descriptor: number, path: string, target = path): Promise<void> {
  if (isStillAt(descriptor, path)) return;
  await rm(pathOfDescriptor(descriptor) ?? path, { force: true });
  throw movedError(target);
}
