import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { loopbackServer } from '../../support/loopback.ts';

/** A request with its body as it came over the wire. */
export interface Upload {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** A server on a free loopback port that keeps what it gets; closed after the test. */
export async function uploads(
  answer: (upload: Upload, response: ServerResponse) => void = (_upload, response) => void response.end(),
): Promise<{ readonly url: string; readonly seen: Upload[] }> {
  const seen: Upload[] = [];
  const url = await loopbackServer(({ method = '', headers }, bytes, response) => {
    const upload = { method, headers, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    seen.push(upload);
    answer(upload, response);
  });
  return { url, seen };
}

/** The parts of a multipart body, read by another reader than the one that wrote them. */
export async function partsOf({ headers, bytes }: Upload): Promise<[string, string | { name: string; type: string; text: string }][]> {
  const form = await new Response(bytes, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  const parts: [string, string | { name: string; type: string; text: string }][] = [];
  for (const [name, value] of form)
    parts.push([name, typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() }]);
  return parts;
}
