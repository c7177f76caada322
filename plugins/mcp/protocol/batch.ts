import { isPlainObject } from '../../../kernel/index.ts';
import {
  errorCodes,
  errorResponseId,
  isRequest,
  isUnanswered,
  type Message,
  messageProblem,
  type RequestId,
} from '../../shared/json-rpc/message.ts';
import { revisions } from './revisions.ts';

const maxMessages = 100;

const batchVersions = [...revisions.values()].flatMap(({ version, hasBatches }) => (hasBatches ? [version] : [])).join(', ');

/** Describes why a batch is refused; undefined for a valid one. `version`: version of its session; undefined without a session. */
export function batchProblem(batch: readonly unknown[], version: string | undefined): string | undefined {
  if (revisions.get(version ?? '')?.hasBatches !== true)
    return `Batches are not supported: send one message. They are answered in sessions of ${batchVersions} alone.`;
  if (batch.length === 0 || batch.length > maxMessages)
    return `The batch holds ${batch.length} messages: expected 1 to ${maxMessages}. Send less at once.`;
  const opens = batch.some((message) => isPlainObject(message) && message['method'] === 'initialize');
  return opens ? 'The request initialize is no part of a batch: send it alone.' : undefined;
}

/** Returns the ids of the batch's requests. */
export function requestIds(batch: readonly unknown[]): readonly RequestId[] {
  return batch.map(errorResponseId).filter((id) => id !== null);
}

/** Returns the errors for a refused batch: one for each request id, or a single one without an id. */
export function batchRefusals(batch: readonly unknown[], problem: string): readonly Message[] {
  const ids = requestIds(batch);
  return ids.length === 0 ? [refusal(null, problem)] : ids.map((id) => refusal(id, problem));
}

export interface SortedBatch {
  readonly messages: readonly Message[];
  /** Error responses for invalid messages and repeated request ids. */
  readonly refusals: readonly Message[];
}

/** Separates the valid messages of a batch from the invalid ones. `isRunning`: true for the id of a request that has no response yet. */
export function sortBatch(batch: readonly unknown[], isRunning: (id: RequestId) => boolean): SortedBatch {
  const messages: Message[] = [];
  const refusals: Message[] = [];
  const ids = new Set<RequestId>();
  for (const message of batch) {
    const problem = messageProblem(message);
    if (problem !== undefined) {
      if (!isUnanswered(message)) refusals.push(refusal(errorResponseId(message), `This is not a JSON-RPC 2.0 message: ${problem}.`));
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
