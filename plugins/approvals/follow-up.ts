import type { ApprovalParts } from './approval-parts.ts';
import { changeRecord, endRecord, eventOf } from './change-record.ts';
import { dispatchApproved } from './dispatch.ts';
import { recordKeys } from './records/record-keys.ts';
import { isOpen, type StoredApproval } from './records/stored-approval.ts';
import { wakeDurable } from './wake-durable.ts';

/** Does what a decided record allows or refuses, once more: the process that took the decision may have ended before. Not for a waiting one. */
export async function followUp(parts: ApprovalParts, id: string): Promise<void> {
  const record = (await parts.records.read(id))?.record;
  if (record?.status === 'waiting') return;
  if (record?.status === 'approved' && record.runsAs === undefined) await dispatchApproved(parts, record);
  else if (record?.status === 'refused' || record?.status === 'expired') await wakeDurable(parts, record);
  else await parts.records.values.state.delete(recordKeys.ready(id));
}

/**
 * Ends the record of a durable call that has ended: an approved one as `used`, any other, and that of a cancelled call, as `withdrawn`. A call that runs
 * an approval for others, and had no effect, keeps it, so that an equal call may run, until it is retried.
 */
export async function endWithCall(
  parts: ApprovalParts,
  id: string,
  { isCancelled, isRetried = false }: { readonly isCancelled: boolean; readonly isRetried?: boolean },
): Promise<void> {
  const record = (await parts.records.read(id))?.record;
  if (record === undefined || !isOpen(record, parts.now())) return;
  if (record.runsAs !== undefined && !isRetried && !(await hasHadEffect(parts, record))) return;
  if (record.status === 'waiting' || isCancelled) {
    await endRecord(parts, id, 'withdrawn', `its durable call ${isCancelled ? 'was cancelled' : 'has ended'}`);
    return;
  }
  const done = await changeRecord(parts, id, (found) => (found.status === 'approved' ? { ...found, status: 'used' } : undefined));
  if (done?.isChanged === true) parts.host.report(eventOf(done.record, 'used'));
}

async function hasHadEffect({ host, kernel }: ApprovalParts, { id, caller, tool: name }: StoredApproval): Promise<boolean> {
  const tool = kernel().registry.tools.get(name);
  return tool !== undefined && (await host.effectOf({ tool: name, caller, once: id }, tool)).state === 'done';
}
