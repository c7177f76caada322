import { rm } from 'node:fs/promises';
import { isUnmoved, moved, placeOf } from '../../../../plugins/shared/confined-files/unmoved.ts';

export { isRealPath, isUnmoved, moved } from '../../../../plugins/shared/confined-files/unmoved.ts';

/**
 * For a file that was just made at a path: throws where that leads to another place by now. The file is removed first, from the folder in
 * which it was made, as far as the system tells which one that is.
 */
export async function refuseMoved(descriptor: number, path: string, target = path): Promise<void> {
  if (isUnmoved(descriptor, path)) return;
  await rm(placeOf(descriptor) ?? path, { force: true });
  throw moved(target);
}
