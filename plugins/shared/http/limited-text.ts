import { strictUtf8 } from '../text/utf8.ts';

/** Reads the text of a response. Throws Error for more than `maxBytes`, and for bytes that are not UTF-8; the connection is ended then. */
export async function limitedText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const text = strictUtf8(Buffer.concat(chunks));
  if (text === undefined) throw new Error('it is not UTF-8');
  return text;
}
