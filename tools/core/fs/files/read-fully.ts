import type { FileHandle } from 'node:fs/promises';

/**
 * Reads from a position until the buffer is full or the file ends; returns the filled part. One read of the system may return
 * less than requested.
 */
export async function readFully(file: FileHandle, position: number, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
