import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { decodeUtf8, textOfFile } from './utf8.ts';

/**
 * Reads a UTF-8 file that an operator writes, without byte order mark. Throws CONFIG_INVALID with the position of the first byte that is
 * not UTF-8, and file system errors.
 */
export async function readText(file: string): Promise<string> {
  return textOfFile(await readFile(file), file);
}

/** Does the same synchronously. */
export function readTextSync(file: string): string {
  return textOfFile(readFileSync(file), file);
}

/** Does the same. Undefined when the file does not exist. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    return await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a text that is only searched, without byte order mark. Undefined when it cannot be read; never throws. */
export async function readTextIfReadable(file: string): Promise<string | undefined> {
  return readFile(file).then(
    (bytes) => decodeUtf8(bytes).text,
    () => undefined,
  );
}
