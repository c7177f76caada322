import type { ApprovalDetails } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { alwaysRule } from './details/always-rule.ts';
import { parameterChanges } from './details/parameter-changes.ts';
import { lastApproved } from './last-approved.ts';
import { type StoredApproval, toApprovalRecord } from './records/stored-approval.ts';

/** Returns a record with the things that help to decide. A preview is read only while the record waits. */
export async function approvalDetails(parts: ApprovalParts, record: StoredApproval): Promise<ApprovalDetails> {
  const { caller, tenant, isKept, parameters, shown, reasons, status } = record;
  const tool = parts.kernel().registry.tools.get(record.tool);
  const last = await lastApproved(parts, record);
  const call = tool === undefined || parameters === undefined ? undefined : { tool, parameters, caller, tenant, accountTenant: tenant };
  const preview = call === undefined || status !== 'waiting' ? undefined : await parts.readPreview({ ...call, hasOwnCredentials: !isKept });
  const always = call === undefined ? undefined : await alwaysRule({ ...call, shownParameters: shown.parameters, reasons });
  return {
    ...toApprovalRecord(record),
    ...(preview === undefined ? {} : { preview }),
    ...(last === undefined
      ? {}
      : { sinceLast: { id: last.id, at: last.at, changes: parameterChanges(last.parameters, shown.parameters) } }),
    ...(always === undefined ? {} : { always }),
  };
}
