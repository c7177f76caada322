import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, messageOf } from '../../../kernel/index.ts';
import { openConfined } from '../../shared/confined-files/open-confined.ts';
import { isInside } from '../../shared/project/is-inside.ts';
import { decodeUtf8 } from '../../shared/text/utf8.ts';

/** A text that was read, or the reason why it was not, for people. */
export type ReadText = { readonly text: string; readonly bytes: number } | { readonly refused: string };

/**
 * Reads a regular file of at most `maxBytes`. With a folder, its real path must be inside the folder's: symbolic links lead nowhere else. Never
 * throws.
 */
export async function readConfined(file: string, maxBytes: number, folder?: string): Promise<ReadText> {
  const shown = `"${excerpt(path.basename(file), 80)}"`;
  try {
    const real = await realpath(file);
    if (folder !== undefined && !isInside(real, await realpath(folder)))
      return { refused: `${shown} is a link that leaves the folder of the document` };
    const opened = await openConfined(real, () => new Error('it is no file'));
    try {
      const bytes = await readAtMost(opened.file, maxBytes);
      if (bytes === undefined) return { refused: `${shown} is too large: expected at most ${maxBytes} bytes` };
      return { text: decodeUtf8(bytes).text, bytes: bytes.length };
    } finally {
      await opened.file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      refused: `${shown} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : (code ?? excerpt(messageOf(error), 100))}`,
    };
  }
}

async function readAtMost(file: Awaited<ReturnType<typeof openConfined>>['file'], maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.createReadStream({ autoClose: false, end: maxBytes })) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}
