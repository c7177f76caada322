import type { ApprovalDetails } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { type StoredApproval, toApprovalRecord } from './records/stored-approval.ts';

/** Returns a record with the things that help to decide. */
export async function approvalDetails(_parts: ApprovalParts, record: StoredApproval): Promise<ApprovalDetails> {
  return toApprovalRecord(record);
}
