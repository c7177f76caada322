import type { ApprovalParts } from './approval-parts.ts';
import { approversText, decidedText } from './decided-text.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/**
 * Tells the durable call that asked, if there is one, how its record was decided. `woken`: it goes on. `running`: it is about to ask, so that it must be
 * told later. `none`: no durable call waits for it.
 */
export async function wakeDurable(parts: ApprovalParts, record: StoredApproval): Promise<'woken' | 'running' | 'none'> {
  const { once, caller, status, id } = record;
  if (once === undefined) return 'none';
  const approve = status === 'approved' || status === 'used';
  const how = await parts.host.wakeCall({ caller, id: once }, { approve, record: id, ...deciderOf(record, approve) });
  // Taken out of those that a process must act on.
  if (how !== 'running') await parts.records.values.state.delete(recordKeys.ready(id));
  return how;
}

interface DeciderText {
  readonly by: string;
  readonly way?: string;
  readonly reason?: string;
}

function deciderOf(record: StoredApproval, approve: boolean): DeciderText {
  const decisions = record.decisions.filter((one) => one.approve === approve);
  const last = decisions.at(-1);
  if (last === undefined) return { by: approve ? 'a person' : 'anybody', reason: decidedText(record) };
  if (decisions.length > 1) return { by: approversText(record) };
  const { by, reason } = last;
  return { by: by.name, way: by.way, ...(reason === undefined ? {} : { reason }) };
}
