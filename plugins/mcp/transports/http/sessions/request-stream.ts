import type { Message, RequestId } from '../../../../shared/json-rpc/message.ts';

/** Maximum length of a request id inside event ids, in characters of JSON. */
const maxIdLength = 100;

/** Returns the name of a request's stream, which holds the request id. So a restarted server can tell which response was lost. */
export function requestStream(number: number, id: RequestId): string {
  const text = JSON.stringify(id);
  return text.length > maxIdLength ? String(number) : `${number}.${Buffer.from(text).toString('base64url')}`;
}

/** Returns the error in place of this stream's lost response; undefined when the name holds no request id. */
export function lostResponse(stream: string): Message | undefined {
  const [, encoded] = stream.split('.');
  const id = encoded === undefined ? undefined : requestIdIn(encoded);
  if (id === undefined) return undefined;
  const message =
    'The answer to this request was lost: the server was started again while it ran, or had no more room for it. Send it again where it may run twice.';
  return { jsonrpc: '2.0', id, error: { code: -32000, message } };
}

function requestIdIn(encoded: string): RequestId | undefined {
  try {
    // Own text: the id of a stream.
    const id: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
  } catch {
    return undefined;
  }
}
