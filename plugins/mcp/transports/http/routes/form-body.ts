import type { IncomingMessage } from 'node:http';
import { strictUtf8 } from '../../../../shared/text/utf8.ts';
import { readBody } from '../message-body.ts';
import type { HttpRefusal } from '../reply.ts';

/** Maximum size of a form. Those of logins have a few fields. */
const maxFormBytes = 64 * 1024;

/** Reads the form in the body of a request, empty without a body. Returns a refusal for any other body. Rejects when the client disconnects. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | HttpRefusal> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return new URLSearchParams();
  const type = headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) || headers['content-encoding'] !== undefined)
    return { status: 415, message: 'The body must be a form, sent as it is: expected application/x-www-form-urlencoded.' };
  const { chunks, size } = await readBody(request, maxFormBytes);
  if (size > maxFormBytes) return { status: 413, message: `The form has ${size} bytes; at most ${maxFormBytes} are taken.` };
  const text = strictUtf8(Buffer.concat(chunks));
  return text === undefined ? { status: 400, message: 'The form is not UTF-8.' } : new URLSearchParams(text);
}
