import type { Call, DraftCall } from '../call/draft.ts';
import { bindingsOf, type CallIdentity } from '../call/identity.ts';
import type { ApprovalDecision, Reason } from '../call/verdict.ts';
import { type ErrorCode, ToolkitError } from '../errors.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { Change } from './identity-change.ts';

export interface ApprovalSteps {
  readonly mask: <T>(value: T) => T;
  /** Returns the identity of the call. */
  identify(): Promise<CallIdentity>;
  /** Finds the changes between two identities. */
  changeOf(before: CallIdentity, now: CallIdentity): Change | undefined;
  ask(request: ApprovalRequest): Promise<ApprovalDecision | undefined>;
  /** Records a decision for the trail. */
  keep(decision: ApprovalDecision & { readonly kind: string }): void;
}

/**
 * Decides a frozen draft whose verdict is not `allow`. Every reason of an `ask` needs its own approval, for the current identity of the call.
 * If the identity changes before the last answer, the answers are void: each decider except the caller is asked once more, with the changes. A
 * second change is found directly before the call runs, and refuses it.
 */
export async function approveCall(draft: DraftCall, call: Call, steps: ApprovalSteps): Promise<Call> {
  const { effect, reasons } = draft.verdict;
  if (effect === 'deny') throw verdictError('POLICY_DENIED', draft, `is refused: ${reasons.at(-1)?.message ?? 'a policy denies it'}`);
  const identity = await steps.identify();
  const decided = await askAll(draft, reasons, identity, steps);
  if (decided.length === 0) return Object.freeze({ ...call, identity });
  const now = await steps.identify();
  const change = steps.changeOf(identity, now);
  // The call keeps its original definition, so a person cannot approve another one here.
  const isOfCall = change?.names.some((name) => name === 'definition' || name === 'provider') ?? true;
  if (change === undefined || isOfCall) return Object.freeze({ ...call, identity });
  await askAll(draft, decided, now, steps, change.words);
  return Object.freeze({ ...call, identity: now });
}

/** Asks for each reason. Returns the reasons that were not decided by the caller's own claim. */
async function askAll(
  draft: DraftCall,
  reasons: readonly Reason[],
  identity: CallIdentity,
  steps: ApprovalSteps,
  changed?: readonly string[],
): Promise<readonly Reason[]> {
  const bindings = bindingsOf(draft.tool, identity);
  const decided: Reason[] = [];
  for (const reason of reasons) {
    const { reason: why, ...shown } = steps.mask({ reason, shownParameters: draft.parameters, shownIdentity: identity });
    const decision = await steps.ask({ call: draft, reason: why, ...shown, bindings, ...(changed === undefined ? {} : { changed }) });
    const since = changed === undefined ? '' : `; since the first question ${changed.join(' and ')} changed`;
    if (decision === undefined) throw verdictError('APPROVAL_REQUIRED', draft, `needs approval and was not run: ${reason.message}${since}`);
    const { isClaim = false, ...kept } = decision;
    steps.keep({ ...kept, kind: reason.kind });
    if (!isClaim) decided.push(reason);
    if (kept.approved === true) continue;
    const because = kept.reason === undefined ? '' : `: ${kept.reason}`;
    throw verdictError('APPROVAL_DENIED', draft, `was not approved by ${kept.by}${because}${since}`);
  }
  return decided;
}

function verdictError(code: ErrorCode, draft: DraftCall, message: string): ToolkitError {
  return new ToolkitError(code, `"${draft.tool.name}" ${message}`, { tool: draft.tool.name, reasons: draft.verdict.reasons });
}
