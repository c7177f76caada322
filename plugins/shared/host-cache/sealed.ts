import { createHash } from 'node:crypto';

const checksumBytes = 32;

/** The content with a checksum before it, which is bound to the key, so that no content stands in for another one. */
export function sealed(key: string, content: Uint8Array): Buffer {
  return Buffer.concat([checksum(key, content), content]);
}

/** What was sealed with this key, if it is whole. */
export function unsealed(key: string, written: Buffer): Buffer | undefined {
  const content = written.subarray(checksumBytes);
  return written.subarray(0, checksumBytes).equals(checksum(key, content)) ? content : undefined;
}

function checksum(key: string, content: Uint8Array): Buffer {
  return createHash('sha256').update(`${key.length} `).update(key).update(content).digest();
}
