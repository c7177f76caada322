import type { ApprovalParts } from './approval-parts.ts';
import { changeRecord, eventOf } from './change-record.ts';
import type { StoredApproval } from './records/stored-approval.ts';

type Parts = Pick<ApprovalParts, 'records' | 'entries' | 'host' | 'now'>;

/** Ends an open record whose time is over: no answer is a no, and a yes without a run ends. Resolves to the record, if this process ended it. */
export async function expireRecord(parts: Parts, id: string): Promise<StoredApproval | undefined> {
  const done = await changeRecord(parts, id, (record) => {
    const isOver = record.expiresAt <= parts.now() && (record.status === 'waiting' || record.status === 'approved');
    if (!isOver) return undefined;
    // A durable call has run it already.
    if (record.runsAs !== undefined) return { ...record, status: 'used' };
    const ended = record.status === 'waiting' ? 'nobody decided in time, which is a no' : 'it was approved, and not run in time';
    return { ...record, status: 'expired', ended };
  });
  if (done?.isChanged !== true) return undefined;
  const { record } = done;
  parts.host.report(
    eventOf(record, record.status === 'used' ? 'used' : 'expired', record.ended === undefined ? {} : { reason: record.ended }),
  );
  return record;
}
