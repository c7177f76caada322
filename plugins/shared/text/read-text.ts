import { readFile } from 'node:fs/promises';

/** The text of a file (UTF-8). Undefined when there is no such file; throws what the file system says of any other failure. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The text of a file (UTF-8). Undefined when it cannot be read, whatever the reason; never throws. */
export async function readTextIfReadable(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
