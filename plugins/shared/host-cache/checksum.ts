import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const checksumBytes = 32;

/** Prepends a checksum to the content. The checksum includes the key, so that no content can replace that of another key. */
export function addChecksum(key: string, content: Uint8Array): Buffer {
  return Buffer.concat([hashOf(key).update(content).digest(), content]);
}

/** Writes consecutive parts with their checksum into an empty file. Yields to the event loop between parts. */
export async function writeWithChecksum(handle: FileHandle, key: string, parts: readonly Uint8Array[]): Promise<void> {
  const hash = hashOf(key);
  await handle.writeFile(Buffer.alloc(checksumBytes));
  for (const part of parts) {
    hash.update(part);
    await handle.writeFile(part);
  }
  await handle.write(hash.digest(), 0, checksumBytes, 0);
}

/** Returns the content when its checksum is right for this key. Undefined otherwise. */
export function verifyChecksum(key: string, written: Buffer): Buffer | undefined {
  const content = written.subarray(checksumBytes);
  return written.subarray(0, checksumBytes).equals(hashOf(key).update(content).digest()) ? content : undefined;
}

function hashOf(key: string): Hash {
  return createHash('sha256').update(`${key.length} `).update(key);
}
