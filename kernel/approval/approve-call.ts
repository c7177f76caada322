import type { Call, DraftCall } from '../call/draft.ts';
import { bindingsOf, type CallIdentity } from '../call/identity.ts';
import type { ApprovalDecision, Reason } from '../call/verdict.ts';
import { type ErrorCode, type ErrorDetails, ToolkitError } from '../errors.ts';
import type { CallToHold, HeldCall } from './approval-inbox.ts';
import type { ApprovalRequest } from './approval-request.ts';
import type { Change } from './identity-change.ts';

export interface ApprovalSteps {
  readonly mask: <T>(value: T) => T;
  /** Returns the identity of the call. */
  identify(): Promise<CallIdentity>;
  /** Finds the changes between two identities. */
  changeOf(before: CallIdentity, now: CallIdentity): Change | undefined;
  /** Opens the record of the call. Undefined where none is kept. */
  hold(call: Omit<CallToHold, 'given'>): Promise<HeldCall | undefined>;
  /** Asks about one reason. The decision of the record counts as well, where one is given. */
  ask(request: ApprovalRequest, held: HeldCall | undefined): Promise<ApprovalDecision | undefined>;
  /** Takes the approval for one run: see `HeldCall`. */
  begin(held: HeldCall): Promise<string | undefined>;
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
  const first = await askAll(draft, reasons, identity, steps);
  // A claim is compared when the call runs. Its record, if a person was asked as well, has had its run by it.
  if (first.decided.length === 0) return approvedCall(call, identity, first.held, steps);
  const now = await steps.identify();
  const change = steps.changeOf(identity, now);
  // The call keeps its original definition, so a person cannot approve another one here.
  const isOfCall = change?.names.some((name) => name === 'definition' || name === 'provider') ?? true;
  if (change === undefined || isOfCall) return approvedCall(call, identity, first.held, steps);
  await first.held?.leave(change.words);
  const second = await askAll(draft, first.decided, now, steps, change.words);
  return approvedCall(call, now, second.held, steps);
}

async function approvedCall(call: Call, identity: CallIdentity, held: HeldCall | undefined, steps: ApprovalSteps): Promise<Call> {
  const shared = held === undefined ? undefined : await steps.begin(held);
  // The record is one of calls with this name, which share its effect already.
  const once = call.once ?? shared;
  return Object.freeze({ ...call, identity, ...(once === undefined ? {} : { once }) });
}

interface Decided {
  /** The reasons that were not decided by the caller's own claim. */
  readonly decided: readonly Reason[];
  readonly held: HeldCall | undefined;
}

/** Asks for each reason, all of them about one record. */
async function askAll(
  draft: DraftCall,
  reasons: readonly Reason[],
  identity: CallIdentity,
  steps: ApprovalSteps,
  changed?: readonly string[],
): Promise<Decided> {
  const bindings = bindingsOf(draft.tool, identity);
  const shown = steps.mask({ reasons, shownParameters: draft.parameters, shownIdentity: identity });
  const ofPeople = shown.reasons.filter(({ takesClaim }) => takesClaim !== true);
  const since = changed === undefined ? {} : { changed };
  const held = ofPeople.length === 0 ? undefined : await steps.hold({ ...shown, call: draft, bindings, reasons: ofPeople, ...since });
  try {
    return { decided: await decideEach(draft, reasons, { ...shown, call: draft, bindings, ...since }, held, steps), held };
  } catch (error) {
    await held?.leave();
    throw error;
  }
}

async function decideEach(
  draft: DraftCall,
  reasons: readonly Reason[],
  { reasons: masked, ...shown }: Omit<ApprovalRequest, 'reason'> & { readonly reasons: readonly Reason[] },
  held: HeldCall | undefined,
  steps: ApprovalSteps,
): Promise<readonly Reason[]> {
  const decided: Reason[] = [];
  const changed = shown.changed ?? held?.changed;
  const since = changed === undefined ? '' : `; since the first question ${changed.join(' and ')} changed`;
  for (const [index, reason] of reasons.entries()) {
    const request = { ...shown, reason: masked[index] ?? reason, ...(changed === undefined ? {} : { changed }) };
    const decision = await steps.ask(request, reason.takesClaim === true ? undefined : held);
    if (decision === undefined) throw verdictError('APPROVAL_REQUIRED', draft, `needs approval and was not run: ${reason.message}${since}`);
    const { isClaim = false, decider: _, ...kept } = decision;
    steps.keep({ ...kept, kind: reason.kind });
    if (!isClaim) decided.push(reason);
    if (kept.approved === true) continue;
    const because = kept.reason === undefined ? '' : `: ${kept.reason}`;
    const record = kept.record === undefined ? {} : { approval: kept.record };
    throw verdictError('APPROVAL_DENIED', draft, `was not approved by ${kept.by}${because}${since}`, record);
  }
  return decided;
}

function verdictError(code: ErrorCode, draft: DraftCall, message: string, more: ErrorDetails = {}): ToolkitError {
  return new ToolkitError(code, `"${draft.tool.name}" ${message}`, { tool: draft.tool.name, reasons: draft.verdict.reasons, ...more });
}
