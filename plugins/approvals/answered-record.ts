import { type CallContext, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { eventOf } from './change-record.ts';
import { decidedText } from './decided-text.ts';

/**
 * Refuses a call that was made again with the answer to a record which another person has refused, or which has expired, meanwhile: its caller is told
 * who decided, and is not asked once more. Throws APPROVAL_DENIED.
 */
export async function refuseLateAnswer({ records, host }: Pick<ApprovalParts, 'records' | 'host'>, context: CallContext): Promise<void> {
  const { client, caller, tool } = context;
  if (client.answersRecord === undefined) return;
  const record = (await records.read(client.answersRecord))?.record;
  if (record === undefined || record.caller !== caller || (record.status !== 'refused' && record.status !== 'expired')) return;
  const by = { way: 'elicitation', name: caller };
  const refusal = record.decisions.findLast(({ approve }) => !approve);
  // Its own answer, once more.
  if (refusal?.by.way === by.way && refusal.by.name === by.name) return;
  const { id, status, decisions } = record;
  host.report(eventOf(record, 'rejected', { by, reason: `is decided: ${decidedText(record)}` }));
  throw new ToolkitError(
    'APPROVAL_DENIED',
    `"${tool.name}" was not run, and the answer changed nothing: the approval "${id}" is decided: ${decidedText(record)}.`,
    { tool: tool.name, approval: id, decided: { status, decisions } },
  );
}
