import type { CallServices } from './call-request.ts';
import type { ToolkitError } from './errors.ts';
import type { CallEnd } from './hooks.ts';
import { discard } from './log/logger.ts';
import { HookRun } from './run.ts';

/** Tells the log and `settled` how a call ended. `end` is as it was: secrets are masked here. Never throws: what taps throw is logged. */
export async function tellEnd({ hooks, logger, timeoutsMs }: CallServices, mask: <T>(value: T) => T, end: CallEnd): Promise<void> {
  const { outcome } = end;
  if (logger.debug !== discard)
    logger.debug('call ended', {
      tool: end.toolName,
      callId: end.id,
      outcome: outcome.type === 'failed' ? outcome.error.code : 'completed',
      durationMs: Math.round(end.durationMs),
    });
  if (!hooks.settled.isUsed()) return;
  const told: CallEnd = {
    ...end,
    toolName: mask(end.toolName),
    parameters: mask(end.parameters),
    verdict: mask(end.verdict),
    approvals: mask(end.approvals),
  };
  const run = new HookRun(logger, mask, end.toolName);
  await run
    .stage('settled', timeoutsMs.settled, () => hooks.settled.promise(told, run))
    .catch((error: unknown) => run.collect(error as ToolkitError));
  for (const error of run.collected) logger.error(error.message, { code: error.code });
}
