import { rm } from 'node:fs/promises';
import { isStillAt, movedError, pathOfDescriptor } from '../../../../plugins/shared/confined-files/path-race.ts';

export { isRealPath, isStillAt, movedError } from '../../../../plugins/shared/confined-files/path-race.ts';

/**
 * Refuses a file that was just created when its path now leads elsewhere. Removes the file first, from the folder in which it
 * was created, as far as the system reports that folder.
 */
export async function refuseMoved(descriptor: number, path: string, target = path): Promise<void> {
  if (isStillAt(descriptor, path)) return;
  await rm(pathOfDescriptor(descriptor) ?? path, { force: true });
  throw movedError(target);
}
