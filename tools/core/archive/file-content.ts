import type { FileHandle } from 'node:fs/promises';

const chunkBytes = 262_144;

/** Yields the bytes of a file from its beginning, at most `size`; fewer when the file is shorter. Closes the file at the end. */
export async function* fileContent(file: FileHandle, size: number, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  try {
    for (let left = size; left > 0; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(left, chunkBytes)));
      if (bytesRead === 0) return;
      left -= bytesRead;
      onBytes(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
