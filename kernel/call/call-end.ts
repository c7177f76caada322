import type { ToolkitError } from '../errors.ts';
import type { CallEnd } from '../hooks.ts';
import { discard } from '../log/logger.ts';
import { HookRun } from '../run.ts';
import { maskedError } from '../secrets/masked-error.ts';
import type { GuardedTap } from '../taps/guarded-tap.ts';
import { type Maybe, series } from '../taps/run-taps.ts';
import type { CallServices } from './call-services.ts';

/** Tells the log and `settled` how a call ended. `end` is as it was: secrets are masked here. Never throws: what taps throw is logged. */
export function tellEnd(
  { logger, timeoutsMs }: CallServices,
  mask: <T>(value: T) => T,
  end: CallEnd,
  taps: readonly GuardedTap[],
): Maybe<void> {
  const { outcome } = end;
  if (logger.debug !== discard)
    logger.debug('call ended', {
      tool: end.toolName,
      callId: end.id,
      outcome: outcome.type === 'failed' ? outcome.error.code : 'completed',
      durationMs: Math.round(end.durationMs),
    });
  if (taps.length === 0) return;
  const told: CallEnd = {
    ...end,
    toolName: mask(end.toolName),
    parameters: mask(end.parameters),
    verdict: mask(end.verdict),
    approvals: mask(end.approvals),
    // What a pure tool answers is not masked for its caller.
    ...(end.tool?.definition.pure === true ? { outcome: maskedOutcome(outcome, mask) } : {}),
  };
  const run = new HookRun(logger, mask, end.toolName);
  const tell = () => series(taps, told, run);
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

function maskedOutcome(outcome: CallEnd['outcome'], mask: <T>(value: T) => T): CallEnd['outcome'] {
  if (outcome.type === 'failed') return { type: 'failed', error: maskedError(outcome.error, mask) };
  const { callId, tool, ...shown } = outcome.result;
  return { type: 'completed', result: { callId, tool, ...mask(shown) } };
}
