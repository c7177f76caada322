import { createHash } from 'node:crypto';
import {
  type Answer,
  type ApprovalDecision,
  type ApprovalRequest,
  type CallContext,
  excerpt,
  isPlainObject,
  messageOf,
  ToolkitError,
} from '../../../kernel/index.ts';
import { approvalQuestion, choice } from './approval-question.ts';
import { approvalSubject } from './approval-subject.ts';
import { approvedParts, describeChangedParts, previouslyApprovedParts } from './approved-parts.ts';
import { type HumanRequest, humanRequest } from './human-request.ts';

/**
 * Asks a person to approve a call: by the host's own way, else by the client's form. Returns undefined when neither can ask. Throws
 * APPROVAL_REQUIRED when the person does not decide, or the client fails.
 */
export async function askPerson(
  request: ApprovalRequest,
  context: CallContext,
  shown: HumanRequest = humanRequest(request),
): Promise<ApprovalDecision | undefined> {
  const { approve, elicit } = context.client;
  const failed = (error: unknown): never => {
    if (ToolkitError.is(error) && error.code === 'APPROVAL_DENIED') throw error;
    if (ToolkitError.is(error) && error.details['isAsked'] === true)
      throw undecided(request, 'the person is being asked, and the client makes the call again with the answer', error);
    throw undecided(request, `its client failed to ask the person: ${excerpt(context.mask(messageOf(error)))}`, error);
  };
  if (approve !== undefined) {
    const { message } = approvalQuestion(shown);
    const record = request.record === undefined ? {} : { record: request.record };
    // Not bound to the record: the host binds an answer to its question in its own way, and asks before there is one.
    const { record: _record, ...content } = request;
    const question = { message, request: { ...shown }, digest: await digestOf(content, shown), ...record };
    const approved = await approve(question, request.decidedElsewhere).catch(failed);
    if (approved === undefined) throw undecided(request, 'the person was asked and has not decided');
    return { approved: approved === true, by: 'the person whom the host asked', decider: { way: 'host', name: request.call.caller } };
  }
  // The person at the caller's client is none of several approvers.
  if (elicit === undefined || (request.approvers ?? 1) > 1) return undefined;
  const ofRecord = request.record === undefined ? {} : { record: request.record };
  const holds = { holdsFor: await digestOf(request, shown), things: approvedParts(request, shown), ...ofRecord };
  const askAgain = (error: unknown): Promise<Answer> => {
    const before = previouslyApprovedParts(error);
    if (before === undefined) return failed(error);
    const changed = describeChangedParts(before, holds.things);
    if (ToolkitError.is(error) && error.details['isAgain'] === true) throw changedTwice(request, changed, error);
    return elicit({ ...approvalQuestion({ ...shown, changed }), ...holds }, request.decidedElsewhere);
  };
  const answer = await elicit({ ...approvalQuestion(shown), ...holds }, request.decidedElsewhere)
    .catch(askAgain)
    .catch(failed);
  if (answer.action === 'cancel') throw undecided(request, 'the person was asked and did not decide');
  return { approved: isYes(answer), by: 'the person at the client', decider: { way: 'elicitation', name: request.call.caller } };
}

/**
 * Returns a digest of everything an approval holds for: the code, the parameters, the caller, and the text that the person saw. The order
 * of members does not matter. Earlier changes are left out: a repeated call with the answer has none.
 */
async function digestOf(request: ApprovalRequest, { changed: _, ...shown }: HumanRequest): Promise<string> {
  const subject = await approvalSubject(request);
  const { default: canonicalize } = await import('canonicalize');
  return createHash('sha256')
    .update(String(canonicalize([subject, shown])))
    .digest('hex');
}

/** True only for the exact answer of a ticked box. */
function isYes({ action, content }: Answer): boolean {
  if (action !== 'accept' || !isPlainObject(content)) return false;
  return Object.keys(content).length === 1 && Object.hasOwn(content, choice) && content[choice] === true;
}

function changedTwice({ call }: ApprovalRequest, changed: readonly string[], cause: unknown): ToolkitError {
  const message = `"${call.tool.name}" was approved, but not run: since the second question, ${changed.join(' and ')} changed. Call it again, to have it approved as it is now.`;
  return new ToolkitError('APPROVAL_DENIED', message, { tool: call.tool.name }, { cause });
}

function undecided({ call }: ApprovalRequest, why: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `"${call.tool.name}" needs approval and was not run: ${why}. Tell the person, and call again only when they want it.`,
    { tool: call.tool.name, reasons: call.verdict.reasons },
    { cause },
  );
}
