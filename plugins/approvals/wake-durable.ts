import type { ApprovalParts } from './approval-parts.ts';
import { approversText, decidedText, deciderText } from './decided-text.ts';
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
  const answer = approve ? { approve, by: approversText(record) } : { approve, ...refusalOf(record) };
  const woken = await parts.host.wakeCall({ caller, id: once }, { ...answer, record: id });
  if (woken !== 'running') await parts.records.values.state.delete(recordKeys.ready(id));
  return woken;
}

function refusalOf(record: StoredApproval): { readonly by: string; readonly reason?: string } {
  const refusal = record.decisions.findLast(({ approve }) => !approve);
  if (refusal === undefined) return { by: 'anybody', reason: decidedText(record) };
  return { by: deciderText(refusal.by), ...(refusal.reason === undefined ? {} : { reason: refusal.reason }) };
}
