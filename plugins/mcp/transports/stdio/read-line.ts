import { messageOf } from '../../../../kernel/index.ts';
import type { RefusedLine } from '../../../shared/json-rpc/line-gate.ts';
import { errorCodes, errorResponseId, isUnanswered, type Message, messageProblem } from '../../../shared/json-rpc/message.ts';
import { readMessage } from '../../../shared/json-rpc/message-text.ts';

/** Response to a line that holds no valid message. */
export interface LineRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A parsed line of a client: its message, or why it is invalid and the response to it. Undefined for a blank line. */
export interface ReadLine {
  readonly message?: Message;
  /** A batch, in place of a message. */
  readonly batch?: readonly unknown[];
  readonly problem?: string;
  readonly refusal?: LineRefusal;
}

/** Returns the response to a line that was not read. */
export function refusalOf({ id, method, problem, isUtf8 }: RefusedLine): LineRefusal {
  const [code, advice] = isUtf8 === false ? [errorCodes.parse, 'Send JSON in UTF-8.'] : [errorCodes.invalidRequest, 'Send less at once.'];
  return refusal(method === undefined || id === undefined ? null : id, code, `The message was not read: it ${problem}. ${advice}`);
}

export function readLine(text: string): ReadLine {
  if (text.trim() === '') return {};
  let message: unknown;
  try {
    message = readMessage(text);
  } catch (error) {
    return { problem: messageOf(error), refusal: refusal(null, errorCodes.parse, 'The line is not valid JSON in UTF-8.') };
  }
  if (Array.isArray(message)) return { batch: message };
  const problem = messageProblem(message);
  if (problem === undefined) return { message: message as Message };
  if (isUnanswered(message)) return { problem };
  return {
    problem,
    refusal: refusal(errorResponseId(message), errorCodes.invalidRequest, `The line is not a JSON-RPC 2.0 message: ${problem}.`),
  };
}

function refusal(id: string | number | null, code: number, message: string): LineRefusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
