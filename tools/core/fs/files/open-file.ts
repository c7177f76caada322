import { type ConfinedFile, openConfined } from '../../../../plugins/shared/confined-files/open-confined.ts';
import { fileError, notAFile } from './file-error.ts';

/**
 * Opens a regular file for reading and checks that the confined path still leads to it. The caller closes it. Throws NOT_FOUND
 * and EXECUTION_FAILED.
 */
export async function openFile(path: string): Promise<ConfinedFile> {
  try {
    return await openConfined(path, (stats) => notAFile(stats, 'read', path));
  } catch (error) {
    throw fileError(error, 'read', path);
  }
}
