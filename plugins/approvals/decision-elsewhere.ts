import type { ApprovalDecision, CallContext } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { approversText, deciderText } from './decided-text.ts';
import { expireRecord } from './expire.ts';
import { deniedError } from './held-errors.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** Resolves when the record is decided by anyone. Rejects when it has ended without a decision, and with the reason of `signal`. */
export async function decisionElsewhere(parts: ApprovalParts, id: string, tool: string, signal: AbortSignal): Promise<ApprovalDecision> {
  const { changes, records, now } = parts;
  const check = async (): Promise<{ readonly record: StoredApproval | undefined } | undefined> => {
    const record = (await records.read(id))?.record;
    if (record?.status !== 'waiting') return { record };
    if (record.expiresAt <= now()) await expireRecord(parts, id);
    return undefined;
  };
  const { record } = await changes.waitFor(recordKeys.record(id), check, signal);
  return decisionOf({ id, tool }, record);
}

/** Returns the decision of a record that no longer waits. Throws APPROVAL_DENIED where no person has decided. */
export function decisionOf(names: { readonly id: string; readonly tool: string }, record: StoredApproval | undefined): ApprovalDecision {
  const { id } = names;
  if (record?.status === 'approved' || record?.status === 'used') return { approved: true, by: approversText(record), record: id };
  const refusal = record?.decisions.findLast(({ approve }) => !approve);
  if (record === undefined || refusal === undefined) throw deniedError(names, record);
  const { by, reason } = refusal;
  return { approved: false, by: deciderText(by), record: id, ...(reason === undefined ? {} : { reason }) };
}

/**
 * Waits for a decision from elsewhere, where the caller goes on meanwhile (a task) or the options allow it. Resolves to false when the call must not
 * wait, or its time is over. `decided` may reject.
 */
export async function waitElsewhere(
  context: Pick<CallContext, 'client' | 'signal' | 'pauseClock'>,
  { id, waitMs }: { readonly id: string; readonly waitMs: number },
  decided: Promise<unknown>,
): Promise<boolean> {
  const { client, signal } = context;
  const isDetached = client.later !== undefined && client.later(`Waits for a person: approval ${id}.`) !== false;
  if (!isDetached && waitMs === 0) return false;
  const resumeClock = context.pauseClock();
  let end: () => void = () => {};
  const over = new Promise<false>((resolve) => {
    end = () => resolve(false);
  });
  const timer = isDetached ? undefined : setTimeout(end, waitMs).unref();
  signal.addEventListener('abort', end, { once: true });
  try {
    const isDecided = decided.then(
      () => true,
      () => true,
    );
    return await Promise.race([isDecided, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    resumeClock();
  }
}
