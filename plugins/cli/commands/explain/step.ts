import { isDeepStrictEqual } from 'node:util';
import type { CallRequest, DraftCall, Reason } from '../../../../kernel/index.ts';

export type TapEffect = Parameters<NonNullable<CallRequest['onTap']>>[0];

/** One change that a tap made to a call. */
export type TapAction =
  | { readonly type: 'bound'; readonly credential: string }
  | { readonly type: 'changed'; readonly parameter: string; readonly from?: unknown; readonly to?: unknown }
  /** `objected`: gave a reason for a call that was already refused. */
  | { readonly type: 'asked' | 'refused' | 'objected'; readonly kind?: string; readonly message: string }
  | { readonly type: 'failed'; readonly code: string; readonly message: string };

/** One tap that ran. With empty `deeds` it left the call unchanged. */
export interface Step {
  readonly hook: string;
  readonly plugin: string;
  readonly tap: string;
  readonly deeds: readonly TapAction[];
}

/** Returns what a tap of `injectAuth` or `beforeExecute` did, by comparing the draft before and after it. */
export function describeStep({ hook, plugin, tap, given, returned }: TapEffect): Step {
  const before = given as DraftCall;
  const after = (returned ?? given) as DraftCall;
  return {
    hook,
    plugin,
    tap,
    deeds: [...boundCredentials(before, after), ...changedParameters(before, after), ...addedReasons(before, after)],
  };
}

function boundCredentials(before: DraftCall, after: DraftCall): TapAction[] {
  const names = [...after.credentials.keys()].filter((name) => after.credentials.get(name) !== before.credentials.get(name));
  return names.map((credential) => ({ type: 'bound', credential }));
}

function changedParameters(before: DraftCall, after: DraftCall): TapAction[] {
  const names = [...new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)])];
  return names
    .map((parameter) => ({ parameter, from: before.parameters[parameter], to: after.parameters[parameter] }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
    .map((change) => ({ type: 'changed', ...change }));
}

function addedReasons(before: DraftCall, after: DraftCall): TapAction[] {
  const isNew = (reason: Reason): boolean => !before.verdict.reasons.some((known) => isDeepStrictEqual(known, reason));
  const added = after.verdict.reasons.filter(isNew);
  const isTighter = after.verdict.effect !== before.verdict.effect;
  const type = isTighter && after.verdict.effect === 'deny' ? 'refused' : before.verdict.effect === 'deny' ? 'objected' : 'asked';
  if (added.length === 0 && isTighter) return [{ type, message: 'it gave no reason' }];
  return added.map(({ kind, message }) => ({ type, kind, message }));
}
