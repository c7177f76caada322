import type { ApprovalParts } from './approval-parts.ts';
import { recordKeys } from './records/record-keys.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** The last approved call of a tool by one caller. */
export interface LastApproved {
  readonly id: string;
  /** Time of the decision, in epoch ms. */
  readonly at: number;
  /** Secrets are masked. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Remembers an approved call, so that the next approver sees the difference to it. */
export async function rememberLast({ records, now, settings }: ApprovalParts, record: StoredApproval): Promise<void> {
  const key = recordKeys.last(record, record.tool);
  const last: LastApproved = { id: record.id, at: record.decisions.at(-1)?.at ?? now(), parameters: record.shown.parameters };
  await records.values.state.set(key, records.values.seal(key, last), { ttlMs: settings.retentionMs });
}

/** Returns the last approved call of this tool by the same tenant and caller, other than the record itself. */
export async function lastApproved({ records }: ApprovalParts, record: StoredApproval): Promise<LastApproved | undefined> {
  const read = await records.values.read<LastApproved>(recordKeys.last(record, record.tool));
  return read === undefined || read === 'unreadable' || read.value.id === record.id ? undefined : read.value;
}
