import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { hasMoreEntries, isPlainObject, textExcess } from '../../../../kernel/index.ts';
import { readBody } from '../../../shared/http/read-body.ts';
import { messageHead } from '../../../shared/json-rpc/lines.ts';
import { errorCodes, errorResponseId, messageProblem, type RequestId, readMessage } from '../../../shared/json-rpc/message.ts';
import { requestIds } from '../../protocol/batch.ts';
import type { HttpRefusal } from './reply.ts';

export type RawMessage = Readonly<Record<string, unknown>>;

/** A body: one JSON-RPC message with a checked envelope, or an unchecked batch. */
export type MessageBody = { readonly message: RawMessage } | { readonly batch: readonly unknown[] };

/** Maximum number of members and items in the params of a message, without the arguments of a call. The protocol needs few. */
const maxMembers = 1000;

/** Bytes at each end of an unparsed body that are searched for the request id. */
const searchedBytes = 300;

/**
 * Reads the body of a request, or returns a refusal. A body over the limit is read to its end and dropped: a client that is cut off
 * while it sends never sees the response. A body that takes too long is cut off all the same.
 */
export async function readMessageBody(request: IncomingMessage, maxBytes: number): Promise<MessageBody | HttpRefusal> {
  const { chunks, size, last } = await readBody(request, maxBytes);
  const [first] = chunks;
  if (size > maxBytes) {
    // The blank gap keeps text of one end from continuing in the other.
    const ends = Buffer.concat([first?.subarray(0, searchedBytes) ?? Buffer.alloc(0), Buffer.alloc(searchedBytes), last]);
    return { status: 413, message: `The body has ${size} bytes; at most ${maxBytes} are taken.`, ...unread(ends) };
  }
  const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
  const excess = textExcess(body);
  if (excess !== undefined)
    return { status: 413, message: `The body was not read: it holds ${excess}. Send less at once.`, ...unread(body) };
  if (!isUtf8(body)) return { status: 400, message: notJson, ...unread(body), code: errorCodes.parse };
  const message = parse(body);
  if (message === undefined) return { status: 400, message: notJson, code: errorCodes.parse };
  if (Array.isArray(message))
    return message.some(exceedsMemberLimit) ? { ...memberLimitRefusal, ids: requestIds(message) } : { batch: message };
  const problem = messageProblem(message);
  if (problem !== undefined)
    return {
      status: 400,
      message: `The body is not a JSON-RPC 2.0 message: ${problem}.`,
      code: errorCodes.invalidRequest,
      id: errorResponseId(message),
    };
  return exceedsMemberLimit(message) ? { ...memberLimitRefusal, id: errorResponseId(message) } : { message: message as RawMessage };
}

const notJson = 'The body is not valid JSON in UTF-8.';

const memberLimitRefusal: HttpRefusal = {
  status: 413,
  message: `The message was not taken: beside the arguments of a call, it holds more than ${maxMembers} members and items. Send less at once.`,
  code: errorCodes.invalidRequest,
};

/** Returns the error about an unparsed body, with its request id where that is found. */
function unread(body: Buffer): { readonly code: number; readonly id: RequestId | null } {
  const { id, method } = messageHead(body);
  return { code: errorCodes.invalidRequest, id: method === undefined || id === undefined ? null : id };
}

/** Parses JSON; undefined for anything else. Skips a byte order mark (RFC 8259, 8.1). */
function parse(body: Buffer): unknown {
  try {
    // Own text: its bytes were judged before
    const text = body.toString('utf8');
    return readMessage(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** Returns true for params over the limit. The arguments of a call, and a client's answers, are checked where they are used. */
function exceedsMemberLimit(message: unknown): boolean {
  const { method, params = {} } = (isPlainObject(message) ? message : {}) as RawMessage;
  if (method === undefined) return false;
  if (method !== 'tools/call' || !isPlainObject(params)) return hasMoreEntries(params, maxMembers);
  const { arguments: _, ...rest } = params;
  return hasMoreEntries(rest, maxMembers);
}
