import type { ApprovalEvent, Decider } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import type { ReadApproval } from './records/approval-records.ts';
import { isOpen, isUntold, type StoredApproval } from './records/stored-approval.ts';

/** A record after a change, and as it was. The same where nothing was changed. */
export interface ChangedRecord {
  readonly before: StoredApproval;
  readonly record: StoredApproval;
  readonly isChanged: boolean;
}

type Parts = Pick<ApprovalParts, 'records' | 'entries' | 'host' | 'now'>;

/**
 * Changes a record, again until no other process has changed it meanwhile. `change` returns undefined to leave it. Resolves to the record as it
 * stands then, and undefined when there is none. A record that has ended leaves the entry of its caller, once the caller knows how.
 */
export async function changeRecord(
  parts: Parts,
  id: string,
  change: (record: StoredApproval) => StoredApproval | undefined,
): Promise<ChangedRecord | undefined> {
  for (;;) {
    const read = await parts.records.read(id);
    if (read === undefined) return undefined;
    const { record: before } = read;
    const next = change(before);
    if (next === undefined) return { before, record: before, isChanged: false };
    if (await replaceRecord(parts, read, next)) return { before, record: next, isChanged: true };
  }
}

/** Replaces the record that was read. Resolves to false when another process has changed it. */
export async function replaceRecord({ records, entries, now }: Parts, read: ReadApproval, next: StoredApproval): Promise<boolean> {
  const at = now();
  const ended = isOpen(next, at) || next.endedAt !== undefined ? next : { ...next, endedAt: at };
  if (!(await records.replace(read, ended, at))) return false;
  if (!isOpen(ended, at) && !isUntold(ended)) await entries.close(ended, ended.callHash, ended.id);
  return true;
}

/** Ends an open record for another reason than a decision. Resolves to false when it was not open. */
export async function endRecord(
  parts: Parts,
  id: string,
  status: 'expired' | 'void' | 'withdrawn',
  why: string,
  only: readonly StoredApproval['status'][] = ['waiting', 'approved'],
): Promise<boolean> {
  const done = await changeRecord(parts, id, (record) => (only.includes(record.status) ? { ...record, status, ended: why } : undefined));
  if (done?.isChanged !== true) return false;
  parts.host.report(eventOf(done.record, status, { reason: why }));
  return true;
}

/** Returns an event about a record. */
export function eventOf(
  { id, tool, caller, tenant, digest }: StoredApproval,
  event: ApprovalEvent['event'],
  more: { readonly by?: Decider; readonly reason?: string } = {},
): ApprovalEvent {
  return { event, id, tool, caller, tenant, digest, ...more };
}
