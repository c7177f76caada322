import { type ApprovalAnswer, type Decider, describeValue, excerpt, ToolkitError } from '../../kernel/index.ts';
import type { ApprovalParts } from './approval-parts.ts';
import { eventOf, replaceRecord } from './change-record.ts';
import { decidedText, deciderText } from './decided-text.ts';
import { expireRecord } from './expire.ts';
import { foldedName, isRequester } from './folded-name.ts';
import type { ReadApproval } from './records/approval-records.ts';
import type { StoredApproval } from './records/stored-approval.ts';

/** Maximum length of a stored reason of a decider. Messages show less. */
const maxReasonCharacters = 1000;

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
  const { host, now } = parts;
  const { approve, by, reason: said } = answer;
  refuseInvalid(parts, id, answer);
  const reason = said === undefined ? undefined : excerpt(parts.kernel().mask(said), maxReasonCharacters);
  for (;;) {
    const read = await readForAnswer(parts, id, by);
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
    host.report(eventOf(next, status === 'waiting' ? 'agreed' : status, { by, ...(reason === undefined ? {} : { reason }) }));
    return next;
  }
}

/** Reads the record that an answer names. An answer to none, or to one that this process cannot read, is reported. */
async function readForAnswer({ records, host }: ApprovalParts, id: string, by: Decider): Promise<ReadApproval> {
  const reject = (reason: string): void => host.report({ event: 'rejected', id: excerpt(id, 100), by, reason });
  const read = await records.read(id).catch((error: unknown) => {
    reject('the record cannot be read');
    throw error;
  });
  if (read !== undefined) return read;
  reject('there is no such approval');
  throw notFound(id);
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
  if (isRequester(by, record)) return `needs ${record.approvers} approvers, and the caller "${by.name}" cannot be one`;
  if (record.decisions.some((one) => foldedName(one.by.name) === foldedName(by.name)))
    return `needs ${record.approvers} different approvers, and ${deciderText(by)} has approved it already`;
  return undefined;
}

/** Reports and refuses an answer that is none, whatever its types say: it may come from JSON. */
function refuseInvalid({ host }: ApprovalParts, id: string, answer: ApprovalAnswer): void {
  const issue = issueOf(answer);
  if (issue === undefined) return;
  host.report({ event: 'rejected', id: excerpt(String(id), 100), reason: `the answer is none: ${issue}` });
  throw new ToolkitError('INVALID_PARAMETERS', `The answer to the approval "${excerpt(String(id), 100)}" is wrong: ${issue}.`, {
    approval: excerpt(String(id), 100),
  });
}

function issueOf({ approve, by, reason, hold }: ApprovalAnswer): string | undefined {
  if (typeof approve !== 'boolean') return `"approve" expected true or false, received ${describeValue(approve)}`;
  if (![by?.way, by?.name].every(isShortText) || foldedName(by.name) === '')
    return '"by" expected { way, name } with texts of 1 to 200 characters: say who decides, and in which way';
  if (reason !== undefined && typeof reason !== 'string') return `"reason" expected a text, received ${describeValue(reason)}`;
  if (hold !== undefined && hold !== 'tool' && hold !== 'arguments')
    return `"hold" expected tool or arguments, received ${describeValue(hold)}`;
  return undefined;
}

function isShortText(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= 200 && !/\p{Cc}/u.test(text);
}
