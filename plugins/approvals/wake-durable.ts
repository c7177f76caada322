import { hasEnded, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { approversText, decidedText, deciderText } from './decided-text.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/**
 * Tells the durable call that asked, if there is one, how its record was decided. `woken`: it goes on. `running`: it is about to ask, so that it must be
 * told later. `none`: no durable call waits for it.
 */
export async function wakeDurable(parts: ApprovalParts, record: StoredApproval): Promise<'woken' | 'running' | 'none'> {
  const { once, caller, status } = record;
  if (once === undefined) return 'none';
  const approve = status === 'approved' || status === 'used';
  const by = approve ? approversText(record) : refuserText(record);
  if ((await parts.host.wakeCall({ caller, id: once }, { approve, by })) !== undefined) return forget(parts, record, 'woken');
  return (await isUnfinished(parts, once, caller)) ? 'running' : forget(parts, record, 'none');
}

function refuserText(record: StoredApproval): string {
  const refusal = record.decisions.findLast(({ approve }) => !approve);
  if (refusal === undefined) return `anybody: ${decidedText(record)}`;
  return `${deciderText(refusal.by)}${refusal.reason === undefined ? '' : `: ${refusal.reason}`}`;
}

async function isUnfinished({ kernel }: ApprovalParts, id: string, caller: string): Promise<boolean> {
  try {
    return !hasEnded(await (await kernel().calls.get(id, { caller })).status());
  } catch (error) {
    if (ToolkitError.is(error) && (error.code === 'NOT_FOUND' || error.code === 'PLUGIN_INVALID')) return false;
    throw error;
  }
}

/** Takes the record out of those that a process must act on. */
async function forget<T>({ records }: ApprovalParts, { id }: StoredApproval, how: T): Promise<T> {
  await records.values.state.delete(recordKeys.ready(id));
  return how;
}
