import { randomUUID } from 'node:crypto';
import { lstat, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { ToolkitError } from '../../../kernel/index.ts';

/** Maximum size of the lock and of each accepted copy, in bytes. */
const maxBytes = 128 * 1024 * 1024;

/**
 * Reads a file of the lock. Undefined when it does not exist. Throws CONFIG_INVALID for a link, a folder, or a file that is too large: these
 * files come with a repository, so a link could lead anywhere.
 */
export async function readPlainFile(file: string): Promise<Buffer | undefined> {
  try {
    const found = await lstat(file);
    if (!found.isFile()) throw notPlain(file, found.isSymbolicLink() ? 'a link' : 'no file');
    if (found.size > maxBytes) throw notPlain(file, `a file of ${found.size} bytes, and ${maxBytes} are allowed`);
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Throws CONFIG_INVALID when there is something at this path that is not a folder. */
export async function refuseLinkedFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw notPlain(folder, found.isSymbolicLink() ? 'a link' : 'no folder');
}

/** Writes a whole file: readers see the former text or the new one. A link in its place is replaced, not followed. `mode`: its permissions. */
export async function replaceFile(file: string, text: string, mode = 0o666): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { flag: 'wx', mode });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

function notPlain(file: string, what: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `"${file}" is ${what}. Replace it by what "toolkit openapi update" writes there.`, { file });
}
