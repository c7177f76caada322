import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const checksumBytes = 32;

/** The content with a checksum before it, which is bound to the key, so that no content stands in for another one. */
export function sealed(key: string, content: Uint8Array): Buffer {
  return Buffer.concat([hashOf(key).update(content).digest(), content]);
}

/** Writes the same of parts that follow each other into an empty file. Others get their turn between them. */
export async function writeSealed(handle: FileHandle, key: string, parts: readonly Uint8Array[]): Promise<void> {
  const hash = hashOf(key);
  await handle.writeFile(Buffer.alloc(checksumBytes));
  for (const part of parts) {
    hash.update(part);
    await handle.writeFile(part);
  }
  await handle.write(hash.digest(), 0, checksumBytes, 0);
}

/** What was sealed with this key, if it is whole. */
export function unsealed(key: string, written: Buffer): Buffer | undefined {
  const content = written.subarray(checksumBytes);
  return written.subarray(0, checksumBytes).equals(hashOf(key).update(content).digest()) ? content : undefined;
}

function hashOf(key: string): Hash {
  return createHash('sha256').update(`${key.length} `).update(key);
}
