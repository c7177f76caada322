import type { ToolkitError } from '../../errors.ts';
import { isLarge } from '../../json/json.ts';
import type { Masking } from '../../log/bounded-text.ts';
import { discard } from '../../log/logger.ts';
import { maskInSlices } from '../../secrets/mask-in-slices.ts';
import { maskedError } from '../../secrets/masked-error.ts';
import type { GuardedTap } from '../../taps/guarded-tap.ts';
import { HookRun } from '../../taps/hook-run.ts';
import { after, series } from '../../taps/run-taps.ts';
import type { MaybePromise } from '../../time/maybe-promise.ts';
import type { CallServices } from '../context/services.ts';
import type { CallEnd } from './end.ts';

/** Reports the end of a call to the log and `settled`. Masks the secrets in `end`. Never throws: errors of taps are logged. */
export function notifyEnd(services: CallServices, masking: Masking, end: CallEnd, taps: readonly GuardedTap[]): MaybePromise<void> {
  const { outcome } = end;
  const { logger } = services;
  if (logger.debug !== discard)
    logger.debug('call ended', {
      tool: end.toolName,
      callId: end.id,
      outcome: outcome.type === 'failed' ? outcome.error.code : 'completed',
      durationMs: Math.round(end.durationMs),
    });
  if (taps.length === 0) return;
  // The parameters of a refused call are as the caller sent them.
  const parameters = maskLargeOrSmall(end.parameters, masking);
  return after(parameters, (masked) =>
    after(maskedOutcome(end, masking), (kept) => notifyTaps(services, maskedEnd(end, masked, kept, masking), masking, taps)),
  );
}

/** Returns the end for the taps. */
function maskedEnd(end: CallEnd, parameters: CallEnd['parameters'], outcome: CallEnd['outcome'], { mask }: Masking): CallEnd {
  // Most calls have no reasons and no decisions, so that there is nothing to copy.
  const maskFilled = <T>(value: T, items: readonly unknown[]): T => (items.length === 0 ? value : mask(value));
  return {
    ...end,
    toolName: mask(end.toolName),
    parameters,
    verdict: maskFilled(end.verdict, end.verdict.reasons),
    approvals: maskFilled(end.approvals, end.approvals),
    outcome,
  };
}

/** Masks the outcome for the trail. The answer of a pure tool was not masked for its caller. */
function maskedOutcome({ tool, outcome }: CallEnd, masking: Masking): MaybePromise<CallEnd['outcome']> {
  if (tool?.definition.pure !== true) return outcome;
  if (outcome.type === 'failed') return { type: 'failed', error: maskedError(outcome.error, masking.mask) };
  const { callId, tool: called, ...shown } = outcome.result;
  return after(maskLargeOrSmall(shown, masking), (members) => ({ type: 'completed', result: { callId, tool: called, ...members } }));
}

function maskLargeOrSmall<T>(value: T, masking: Masking): MaybePromise<T> {
  return isLarge(value) ? maskInSlices(value, masking) : masking.mask(value);
}

function notifyTaps(
  { logger, timeoutsMs }: CallServices,
  end: CallEnd,
  { mask }: Masking,
  taps: readonly GuardedTap[],
): MaybePromise<void> {
  const run = new HookRun(logger, mask, end.toolName);
  const tell = () => series(taps, end, run);
  const tellLog = (): void => {
    for (const error of run.collected) logger.error(error.message, { code: error.code });
  };
  try {
    const settled = run.stage('settled', timeoutsMs.settled, tell);
    if (!(settled instanceof Promise)) return tellLog();
    return settled.catch((error: unknown) => run.collect(error as ToolkitError)).then(tellLog);
  } catch (error) {
    run.collect(error as ToolkitError);
    tellLog();
  }
}
