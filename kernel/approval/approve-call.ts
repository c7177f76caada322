import { type ErrorCode, ToolkitError } from '../errors.ts';
import type { ApprovalDecision, ApprovalRequest, Call, DraftCall } from '../hooks.ts';
import type { Change } from './identify.ts';
import { bindingsOf, type CallIdentity } from './identity.ts';
import type { Reason } from './verdict.ts';

export interface ApprovalSteps {
  readonly mask: <T>(value: T) => T;
  /** What the call will run. */
  identify(): Promise<CallIdentity>;
  /** Finds what is not as it was. */
  changeOf(before: CallIdentity, now: CallIdentity): Change | undefined;
  ask(request: ApprovalRequest): Promise<ApprovalDecision | undefined>;
  /** Keeps a decision for the trail. */
  keep(decision: ApprovalDecision & { readonly kind: string }): void;
}

/**
 * Settles the verdict of a frozen draft that nobody just allows: every reason of an `ask` needs its own yes, for what the call will run now.
 * Where that is another thing after the answers, they are void: everybody but the caller itself is asked once more and shown what changed. A
 * second change is found in the moment before the call runs, and refuses it.
 */
export async function approveCall(draft: DraftCall, call: Call, steps: ApprovalSteps): Promise<Call> {
  const { effect, reasons } = draft.verdict;
  if (effect === 'deny') throw verdictError('POLICY_DENIED', draft, `is refused: ${reasons.at(-1)?.message ?? 'a policy denies it'}`);
  const identity = await steps.identify();
  const decided = await askAll(draft, reasons, identity, steps);
  if (decided.length === 0) return Object.freeze({ ...call, identity });
  const now = await steps.identify();
  const change = steps.changeOf(identity, now);
  // The call holds the definition of its beginning: nobody can be asked about another one here.
  const isOfCall = change?.names.some((name) => name === 'definition' || name === 'provider') ?? true;
  if (change === undefined || isOfCall) return Object.freeze({ ...call, identity });
  await askAll(draft, decided, now, steps, change.words);
  return Object.freeze({ ...call, identity: now });
}

/** Asks for each reason. Returns those that somebody else than the caller has decided. */
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
