import { type ErrorCode, ToolkitError } from '../errors.ts';
import type { ApprovalDecision, ApprovalRequest, Call, DraftCall } from '../hooks.ts';
import { bindingsOf, type CallIdentity } from './identity.ts';

export interface ApprovalSteps {
  readonly mask: <T>(value: T) => T;
  /** What the call will run. */
  identify(): Promise<CallIdentity>;
  ask(request: ApprovalRequest): Promise<ApprovalDecision | undefined>;
  /** Keeps a decision for the trail. */
  keep(decision: ApprovalDecision & { readonly kind: string }): void;
}

/** Settles the verdict of a frozen draft that nobody just allows: every reason of an `ask` needs its own yes, for what the call will run now. */
export async function approveCall(draft: DraftCall, call: Call, steps: ApprovalSteps): Promise<Call> {
  const { effect, reasons } = draft.verdict;
  if (effect === 'deny') throw verdictError('POLICY_DENIED', draft, `is refused: ${reasons.at(-1)?.message ?? 'a policy denies it'}`);
  const identity = await steps.identify();
  const bindings = bindingsOf(draft.tool, identity);
  for (const reason of reasons) {
    const { reason: why, ...shown } = steps.mask({ reason, shownParameters: draft.parameters, shownIdentity: identity });
    const decision = await steps.ask({ call: draft, reason: why, ...shown, bindings });
    if (decision === undefined) throw verdictError('APPROVAL_REQUIRED', draft, `needs approval and was not run: ${reason.message}`);
    steps.keep({ ...decision, kind: reason.kind });
    if (decision.approved === true) continue;
    const because = decision.reason === undefined ? '' : `: ${decision.reason}`;
    throw verdictError('APPROVAL_DENIED', draft, `was not approved by ${decision.by}${because}`);
  }
  return Object.freeze({ ...call, identity });
}

function verdictError(code: ErrorCode, draft: DraftCall, message: string): ToolkitError {
  return new ToolkitError(code, `"${draft.tool.name}" ${message}`, { tool: draft.tool.name, reasons: draft.verdict.reasons });
}
