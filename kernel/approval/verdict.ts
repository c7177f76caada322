const strictness = { allow: 0, ask: 1, deny: 2 } as const;

export type Effect = keyof typeof strictness;

/** Why a call must be approved or is refused. */
export interface Reason {
  /** `gate` (the definition requires approval), `human` (the human policy), `rule` (a policy rule), or a word of the plugin that asks or refuses. */
  readonly kind: string;
  /** A sentence for the person who decides. */
  readonly message: string;
}

/** What has been decided about a call so far. It can only become stricter: allow < ask < deny. */
export interface Verdict {
  readonly effect: Effect;
  readonly reasons: readonly Reason[];
}

export const allowed: Verdict = Object.freeze({ effect: 'allow', reasons: Object.freeze([]) });

/** Something that is being decided, such as a draft call. */
interface Decidable {
  readonly verdict: Verdict;
}

/**
 * For a tap on `beforeExecute`: the draft, to be run only after `approve` has said yes to this reason too. A draft that is refused stays so.
 * @example kernel.hooks.beforeExecute.tap('big-sums', (draft) => ask(draft, { kind: 'sum', message: 'it is a large sum' }));
 */
export function ask<T extends Decidable>(draft: T, reason: Reason): T {
  return { ...draft, verdict: { effect: stricter(draft.verdict.effect, 'ask'), reasons: [...draft.verdict.reasons, reason] } };
}

/**
 * For a tap on `beforeExecute`: the draft, refused (POLICY_DENIED, with the message of the reason). No later tap can allow it again.
 * @example kernel.hooks.beforeExecute.tap('closed', (draft) => deny(draft, { kind: 'closed', message: 'the office is closed' }));
 */
export function deny<T extends Decidable>(draft: T, reason: Reason): T {
  return { ...draft, verdict: { effect: 'deny', reasons: [...draft.verdict.reasons, reason] } };
}

function stricter(a: Effect, b: Effect): Effect {
  return strictness[a] >= strictness[b] ? a : b;
}

/** True when `next` is at least as strict as `previous` and keeps its reasons. */
export function isTightened(previous: Verdict, next: Verdict): boolean {
  return strictness[next.effect] >= strictness[previous.effect] && previous.reasons.every((reason) => next.reasons.includes(reason));
}
