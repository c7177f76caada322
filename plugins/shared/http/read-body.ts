import type { IncomingMessage } from 'node:http';

/** The body of a request. Over the limit it has its size, and no complete `chunks`. */
export interface RequestBody {
  readonly chunks: readonly Buffer[];
  readonly size: number;
  /** The last chunk, also of a body over the limit. */
  readonly last: Buffer;
}

/**
 * Reads the body of a request. A body over the limit is read to its end and dropped: a client that is cut off while it sends never sees the
 * response. One of more than 16 times the limit is cut off all the same. Rejects when the client disconnects.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let last: Buffer = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      last = chunk;
      if (size <= maxBytes) chunks.push(chunk);
      if (size > maxBytes * 16) request.destroy();
    });
    request.once('end', () => resolve({ chunks, size, last }));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client went away in the middle of its request.')));
  });
}
