import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';

/** Maximum size of a program to hash. Above it, reading the content before each call would take longer than the call. */
const maxHashedBytes = 4 * 1024 * 1024;

/** Returns the sha256 (hex) of a file's content, or `missing` when it cannot be read. */
export async function contentState(file: string): Promise<string> {
  try {
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  } catch {
    return 'missing';
  }
}

/** Returns the content hash of a program. Above 4 MiB: device, inode, size and both times; a write changes the last one. */
export async function programState(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (found === undefined || found.size <= maxHashedBytes) return contentState(file);
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
