import type { JsonObject } from '../json/json.ts';
import type { Decider } from './decider.ts';

const strictness = { allow: 0, ask: 1, deny: 2 } as const;

export type Effect = keyof typeof strictness;

/** The reason for asking or refusing. */
export interface Reason {
  /** `gate` (the definition requires approval), `human` (the human policy), `rule` (a policy rule), or a plugin's own word. */
  readonly kind: string;
  /** A sentence for the person who decides. */
  readonly message: string;
  /** True when the caller's own claim decides, so that no person is asked and no record is kept. @default false */
  readonly takesClaim?: true;
  /** Digest of the rule, or of the state, behind the reason. An approval for another one does not count. @default the message */
  readonly version?: string;
  /** Number of different names that must approve. @default 1 */
  readonly approvers?: number;
  /** True when the effect is on the process that makes the call, so that no other process may run it after an approval. @default false */
  readonly isLocal?: true;
  /** Things to show to the person beside the parameters, such as definitions that become callable. */
  readonly shown?: JsonObject;
}

/** The verdict on a call so far. It can only become stricter: allow < ask < deny. */
export interface Verdict {
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
}

export const allowed: Verdict = Object.freeze({ effect: 'allow', reasons: Object.freeze([]) });

/** An object with a verdict, such as a draft call. */
interface Decidable {
  readonly verdict: Verdict;
}

/**
 * Returns the draft with one more reason to ask, in a tap on `beforeExecute`: it runs only after an approval. A refused draft stays refused.
 * @example kernel.hooks.beforeExecute.tap('big-sums', (draft) => ask(draft, { kind: 'sum', message: 'it is a large sum' }));
 */
export function ask<T extends Decidable>(draft: T, reason: Reason): T {
  return { ...draft, verdict: { effect: stricter(draft.verdict.effect, 'ask'), reasons: [...draft.verdict.reasons, reason] } };
}

/**
 * Returns the draft refused, in a tap on `beforeExecute` (POLICY_DENIED, with the reason's message). No later tap can allow it again.
 * @example kernel.hooks.beforeExecute.tap('closed', (draft) => deny(draft, { kind: 'closed', message: 'the office is closed' }));
 */
export function deny<T extends Decidable>(draft: T, reason: Reason): T {
  return { ...draft, verdict: { effect: 'deny', reasons: [...draft.verdict.reasons, reason] } };
}

function stricter(a: Effect, b: Effect): Effect {
  return strictness[a] >= strictness[b] ? a : b;
}

/** Returns true when `next` is at least as strict as `previous` and keeps its reasons. */
export function isTightened(previous: Verdict, next: Verdict): boolean {
  return strictness[next.effect] >= strictness[previous.effect] && previous.reasons.every((reason) => next.reasons.includes(reason));
}

/** The decision about one reason to ask. */
export interface ApprovalDecision {
  readonly approved: boolean;
  /** The decider, such as `flag` or the name of a person. */
  readonly by: string;
  /** The way and the name by which deciders are counted. @default the way `plugin`, with the name `by` */
  readonly decider?: Decider;
  /** Id of the record that was decided. Set by the kernel. */
  readonly record?: string;
  /** True when the caller itself claims the approval. After a change the call is refused, not asked about again. */
  readonly isClaim?: true;
  readonly reason?: string;
}
