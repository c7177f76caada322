import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { decodeUtf8, textOfFile } from './utf8.ts';

/**
 * The text of a file that an operator writes (UTF-8), without a byte order mark. Throws CONFIG_INVALID with the first byte that is not UTF-8, and
 * what the file system says.
 */
export async function readText(file: string): Promise<string> {
  return textOfFile(await readFile(file), file);
}

/** The same, while nothing else goes on. */
export function readTextSync(file: string): string {
  return textOfFile(readFileSync(file), file);
}

/** The same. Undefined when there is no such file. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    return await readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A text in which something is looked for, without a byte order mark. Undefined when it cannot be read, whatever the reason; never throws. */
export async function readTextIfReadable(file: string): Promise<string | undefined> {
  return readFile(file).then(
    (bytes) => decodeUtf8(bytes).text,
    () => undefined,
  );
}
