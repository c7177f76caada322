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
import { type HumanRequest, humanRequest } from './human-request.ts';

/**
 * Puts a call to the person who uses the client. Undefined when the client cannot ask. Throws APPROVAL_REQUIRED when the person does not
 * decide, or the client fails.
 */
export async function askPerson(
  request: ApprovalRequest,
  context: CallContext,
  shown: HumanRequest = humanRequest(request),
): Promise<ApprovalDecision | undefined> {
  const { elicit } = context.client;
  if (elicit === undefined) return undefined;
  const answer = await elicit(approvalQuestion(shown)).catch((error: unknown) => {
    throw undecided(request, `its client failed to ask the person: ${excerpt(context.mask(messageOf(error)))}`, error);
  });
  if (answer.action === 'cancel') throw undecided(request, 'the person was asked and did not decide');
  return { approved: isYes(answer), by: 'the person at the client' };
}

/** A yes is exactly what the form gives when the box is ticked. */
function isYes({ action, content }: Answer): boolean {
  if (action !== 'accept' || !isPlainObject(content)) return false;
  return Object.keys(content).length === 1 && Object.hasOwn(content, choice) && content[choice] === true;
}

function undecided({ call }: ApprovalRequest, why: string, cause?: unknown): ToolkitError {
  return new ToolkitError(
    'APPROVAL_REQUIRED',
    `"${call.tool.name}" needs approval and was not run: ${why}. Tell the person, and call again only when they want it.`,
    { tool: call.tool.name, reasons: call.verdict.reasons },
    { cause },
  );
}
