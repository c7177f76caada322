import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { notUtf8, strictUtf8 } from '../shared/text/utf8.ts';
import { codeOf, operationError } from './operation-error.ts';

/** Returns the text of a regular file of at most `maxBytes`; follows no link. Throws EXECUTION_FAILED, or the error of the file system. */
export async function readSmallFile(file: string, maxBytes: number): Promise<string> {
  // Without O_NONBLOCK, opening a pipe would block.
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error: unknown) => {
    throw codeOf(error) === 'ELOOP' ? operationError('it is a link, and links are not followed', 'EXECUTION_FAILED', error) : error;
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw operationError('it is no regular file');
    if (stats.size > maxBytes) throw operationError(`it has ${stats.size} bytes; at most ${maxBytes} are read`);
    const bytes = await handle.readFile();
    const text = strictUtf8(bytes);
    if (text === undefined) throw operationError(notUtf8(bytes));
    return text;
  } finally {
    await handle.close();
  }
}
