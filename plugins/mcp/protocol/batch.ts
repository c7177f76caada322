import { isPlainObject } from '../../../kernel/index.ts';
import { answeredId, isUnanswered, messageProblem } from './envelope.ts';
import { errorCodes, isRequest, type Message, type RequestId } from './messages.ts';

/** The one version of the protocol whose clients may send several messages as one (MCP 2025-03-26, Base Protocol, Batching). */
const batchVersion = '2025-03-26';

const maxMessages = 100;

/** Why it is not taken as it is, in words; undefined where it is. `version`: of the session that it came in; undefined where it came in none. */
export function batchProblem(batch: readonly unknown[], version: string | undefined): string | undefined {
  if (version !== batchVersion)
    return `Batches are not supported: send one message. They are answered in sessions of ${batchVersion} alone.`;
  if (batch.length === 0 || batch.length > maxMessages)
    return `The batch holds ${batch.length} messages: expected 1 to ${maxMessages}. Send less at once.`;
  const opens = batch.some((message) => isPlainObject(message) && message['method'] === 'initialize');
  return opens ? 'The request initialize is no part of a batch: send it alone.' : undefined;
}

/** The ids of what is answered in it. */
export function idsOf(batch: readonly unknown[]): readonly RequestId[] {
  return batch.map(answeredId).filter((id) => id !== null);
}

/** The errors with which a batch that is not taken is answered: one for each id, or one without where there is none. */
export function batchRefusals(batch: readonly unknown[], problem: string): readonly Message[] {
  const ids = idsOf(batch);
  return ids.length === 0 ? [refusal(null, problem)] : ids.map((id) => refusal(id, problem));
}

export interface SortedBatch {
  readonly messages: readonly Message[];
  /** Answers to what is no message, or has the id of another request. */
  readonly refusals: readonly Message[];
}

/** Tells the messages of a batch from what is none. `isRunning`: whether a request with this id has no answer yet. */
export function sortBatch(batch: readonly unknown[], isRunning: (id: RequestId) => boolean): SortedBatch {
  const messages: Message[] = [];
  const refusals: Message[] = [];
  const ids = new Set<RequestId>();
  for (const message of batch) {
    const problem = messageProblem(message);
    if (problem !== undefined) {
      if (!isUnanswered(message)) refusals.push(refusal(answeredId(message), `This is not a JSON-RPC 2.0 message: ${problem}.`));
    } else if (isRequest(message as Message)) {
      const { id } = message as { readonly id: RequestId };
      if (ids.has(id) || isRunning(id)) refusals.push(refusal(id, 'A request with this id is still running.'));
      else messages.push(message as Message);
      ids.add(id);
    } else messages.push(message as Message);
  }
  return { messages, refusals };
}

function refusal(id: RequestId | null, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code: errorCodes.invalidRequest, message } } as unknown as Message;
}
