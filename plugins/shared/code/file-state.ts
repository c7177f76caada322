import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Of larger files than this, reading the content before each call would take longer than the call. */
const mostHashedBytes = 4 * 1024 * 1024;

/** What a file holds: sha256, hex; `missing` when it cannot be read. */
export async function contentState(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch {
    return 'missing';
  }
}

/** The same of a program: of a large one device, inode, size and both times of change in its place; writing to it changes the last one. */
export async function programState(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined || found.size <= mostHashedBytes) return contentState(file);
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
