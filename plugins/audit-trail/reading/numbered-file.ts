import { type FileHandle, open } from 'node:fs/promises';
import { rotatedFiles } from '../rotated-files.ts';
import { isErrno } from '../trail-error.ts';

/** Returns the number under which the current file of a trail will be rotated. A cursor with this number stays valid after the rotation. */
export async function currentNumber(trail: string): Promise<number> {
  return ((await rotatedFiles(trail)).at(-1)?.number ?? 0) + 1;
}

/** Returns the number of the newest rotated file below `number`; undefined when there is none. */
export async function numberBefore(trail: string, number: number): Promise<number | undefined> {
  return (await rotatedFiles(trail)).findLast((file) => file.number < number)?.number;
}

/** Opens a file of a trail by its number: a rotated one, or the current one. Undefined when it was removed. */
export async function openNumbered(trail: string, number: number): Promise<FileHandle | undefined> {
  const rotated = await openIfThere(`${trail}.${number}`);
  if (rotated !== undefined) return rotated;
  const current = await openIfThere(trail);
  // Compared after it was opened: it may have been rotated in between.
  if (current === undefined || (await currentNumber(trail)) === number) return current;
  await current.close();
  return openIfThere(`${trail}.${number}`);
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
