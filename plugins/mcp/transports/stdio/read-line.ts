import { messageOf } from '../../../../kernel/index.ts';
import type { RefusedLine } from '../../../shared/lines/line-gate.ts';
import { answeredId, isUnanswered, messageProblem } from '../../protocol/envelope.ts';
import { errorCodes, type Message } from '../../protocol/messages.ts';
import { readMessage } from '../../protocol/read-message.ts';

/** An answer to a line of which nobody gets a message. */
export interface LineRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A line of a client: its message, or why it is none, and what the client is told of that. Nothing at all for a blank one. */
export interface ReadLine {
  readonly message?: Message;
  /** In place of a message: several that came as one. */
  readonly batch?: readonly unknown[];
  readonly problem?: string;
  readonly refusal?: LineRefusal;
}

/** The answer to a message that was not read. */
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
    refusal: refusal(answeredId(message), errorCodes.invalidRequest, `The line is not a JSON-RPC 2.0 message: ${problem}.`),
  };
}

function refusal(id: string | number | null, code: number, message: string): LineRefusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
