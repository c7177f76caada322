import { type CallAnswer, type CallDecision, type CallName, excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import { toStoredError } from './stored-error.ts';

/**
 * Writes a person's decision about an asked call: a yes lets it run again, a no fails it (APPROVAL_DENIED). Throws INVALID_PARAMETERS when it asks
 * nothing, or another question. Undefined when the store no longer holds the record that was read.
 */
export async function decideCall(
  read: ReadRecord,
  { approve, by, way, reason, digest }: CallAnswer,
  records: CallRecords,
): Promise<ReadRecord | undefined> {
  const { question, decisions, ...record } = read.record;
  const { tool, status } = record;
  if (status !== 'asked' || question === undefined) throw refusedCall(record, `does not wait for a person: ${stateOf(read)}`);
  if (question.digest !== digest) throw refusedCall(record, 'asks another question now. Read it, and answer that one');
  const decision: CallDecision = {
    ...{ digest, approve, by, at: Date.now() },
    ...(question.record === undefined ? {} : { record: question.record }),
    ...(way === undefined ? {} : { way }),
    ...(reason === undefined ? {} : { reason: excerpt(reason) }),
  };
  const decided = { ...record, decisions: [...decisions, decision] };
  if (approve) return records.wait(read, decided, Date.now());
  const message = `"${tool}" was not approved by ${deciderText(decision)}`;
  return records.end(read, {
    decisions: decided.decisions,
    status: 'failed',
    error: toStoredError({ code: 'APPROVAL_DENIED', message, details: {} }),
  });
}

export function refusedCall({ id }: CallName, why: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `The durable call "${id}" ${why}.`);
}

/** Names the decider with the reason: `ann (webhook): too expensive`. */
function deciderText({ by, way, reason }: CallDecision): string {
  return `${by}${way === undefined ? '' : ` (${way})`}${reason === undefined ? '' : `: ${reason}`}`;
}

function stateOf({ record: { status, decisions } }: ReadRecord): string {
  const last = decisions.at(-1);
  return last === undefined ? `it is ${status}` : `${last.by} has ${last.approve ? 'approved' : 'refused'} it, and it is ${status}`;
}
