import { type ApprovalAnswer, excerpt, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { eventOf, replaceRecord } from './change-record.ts';
import { decidedText, deciderText } from './decided-text.ts';
import { expireRecord } from './expire.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/**
 * Decides a record. The first decision counts: of several that race, one replaces the waiting record, and the others are told who decided what.
 * Every answer that changes nothing is reported as `rejected`. `isAnswerable`: returns the reason why the record cannot be approved, if any.
 */
export async function decideRecord(
  parts: ApprovalParts,
  id: string,
  answer: ApprovalAnswer,
  whyNot: (record: StoredApproval) => Promise<string | undefined> = async () => undefined,
): Promise<StoredApproval> {
  const { records, host, now } = parts;
  const { approve, by, reason } = answer;
  checkDecider(answer);
  for (;;) {
    const read = await records.read(id);
    if (read === undefined) {
      host.report({ event: 'rejected', id: excerpt(id, 100), by, reason: 'there is no such approval' });
      throw notFound(id);
    }
    const { record } = read;
    if (record.status === 'waiting' && record.expiresAt <= now()) {
      await expireRecord(parts, id);
      continue;
    }
    const why = refusalOf(record, answer) ?? (approve ? await whyNot(record) : undefined);
    if (why !== undefined) {
      host.report(eventOf(record, 'rejected', { by, reason: why }));
      const { status, decisions } = record;
      throw new ToolkitError('INVALID_PARAMETERS', `The approval "${id}" ${why}.`, {
        tool: record.tool,
        approval: id,
        decided: { status, decisions },
      });
    }
    const decisions = [...record.decisions, { approve, by, at: now(), ...(reason === undefined ? {} : { reason }) }];
    const isEnough = decisions.filter((one) => one.approve).length >= record.approvers;
    const status = !approve ? 'refused' : isEnough ? 'approved' : 'waiting';
    const next: StoredApproval = { ...record, status, decisions };
    if (!(await replaceRecord(parts, read, next))) continue;
    host.report(eventOf(next, approve ? 'approved' : 'refused', { by, ...(reason === undefined ? {} : { reason }) }));
    return next;
  }
}

export function notFound(id: string): ToolkitError {
  return new ToolkitError(
    'NOT_FOUND',
    `There is no approval "${excerpt(id, 100)}": it was never asked for, was erased, or is no longer stored.`,
  );
}

/** Returns the reason why an answer changes nothing, as the rest of a sentence about the approval. */
function refusalOf(record: StoredApproval, { approve, by, digest }: ApprovalAnswer): string | undefined {
  if (record.status !== 'waiting') return `is decided: ${decidedText(record)}`;
  if (digest !== undefined && digest !== record.digest) return 'has another digest: what you saw is not what is asked. Read it again';
  if (!approve || record.approvers === 1) return undefined;
  if (by.name === record.caller) return `needs ${record.approvers} approvers, and the caller "${by.name}" cannot be one`;
  if (record.decisions.some((one) => one.by.name === by.name))
    return `needs ${record.approvers} different approvers, and ${deciderText(by)} has approved it already`;
  return undefined;
}

function checkDecider({ approve, by }: ApprovalAnswer): void {
  const isText = (text: unknown): boolean => typeof text === 'string' && text !== '' && text.length <= 200 && !/\p{Cc}/u.test(text);
  if (typeof approve === 'boolean' && isText(by?.way) && isText(by?.name)) return;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    'A decision expected { approve: true or false, by: { way, name } } with texts of 1 to 200 characters. Say who decides, and in which way.',
  );
}
