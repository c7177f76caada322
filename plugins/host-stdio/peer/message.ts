import { excerpt, isPlainObject, messageOf } from '../../../kernel/index.ts';
import { type ErrorObject, errorCodes, type Parameters, type RequestId, readMessage } from '../../shared/json-rpc/message.ts';

/** A parsed line of the other side. A blank line gives undefined. */
export type Received =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params: Parameters }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Parameters }
  | { readonly kind: 'answer'; readonly id: RequestId; readonly result?: unknown; readonly error?: ErrorObject }
  /** `id`: id of the refused request; null where it cannot be read. */
  | { readonly kind: 'wrong'; readonly id: RequestId | null; readonly error: ErrorObject }
  | { readonly kind: 'nothing' };

export function readLine(line: string): Received {
  if (line.trim() === '') return { kind: 'nothing' };
  let message: unknown;
  try {
    message = readMessage(line);
  } catch (error) {
    return invalidMessage(null, errorCodes.parse, `The line is not JSON in UTF-8: ${excerpt(messageOf(error))}`);
  }
  if (!isPlainObject(message)) return invalidMessage(null, errorCodes.invalidRequest, 'The line is not one message: expected an object.');
  const { jsonrpc, id, method, params = {} } = message;
  const known = isId(id) ? id : null;
  const refuse = (problem: string): Received => invalidMessage(known, errorCodes.invalidRequest, `The line is no message: ${problem}.`);
  if (jsonrpc !== '2.0') return refuse('expected "jsonrpc": "2.0"');
  if (method === undefined && known !== null) return answerOf(known, message);
  if (typeof method !== 'string') return refuse('expected "method" as a text, or the "id" of a request with "result" or "error"');
  if (!isPlainObject(params)) return refuse('expected "params" as an object');
  if (id === undefined) return { kind: 'notification', method, params };
  return known === null ? refuse('expected "id" as a text or a whole number') : { kind: 'request', id: known, method, params };
}

function answerOf(id: RequestId, message: Parameters): Received {
  const { error } = message;
  if (error === undefined && 'result' in message) return { kind: 'answer', id, result: message['result'] };
  const isError = isPlainObject(error) && typeof error['message'] === 'string';
  if (isError)
    return { kind: 'answer', id, error: { code: Number(error['code']), message: String(error['message']), data: error['data'] } };
  return {
    kind: 'answer',
    id,
    error: { code: errorCodes.invalidRequest, message: 'The answer has neither "result" nor an "error" with a "message".' },
  };
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function invalidMessage(id: RequestId | null, code: number, message: string): Received {
  return { kind: 'wrong', id, error: { code, message } };
}
