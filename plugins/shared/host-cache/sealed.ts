import { createHash } from 'node:crypto';

const checksumBytes = 32;

/** A content with a checksum before it, by which it is known to be whole. Bound to the key, so that no content stands in for another one. */
export function sealed(key: string, content: Uint8Array): Buffer {
  return Buffer.concat([checksum(key, content), content]);
}

/** The content, where it is whole and was sealed with this key. */
export function unsealed(key: string, written: Buffer): Buffer | undefined {
  const content = written.subarray(checksumBytes);
  return written.subarray(0, checksumBytes).equals(checksum(key, content)) ? content : undefined;
}

function checksum(key: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(`${key.length} `).update(key).update(content).digest();
}
