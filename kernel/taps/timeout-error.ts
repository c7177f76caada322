import { ToolkitError } from '../errors.ts';
import { maxWaitMs } from '../time/stage-clock.ts';
import type { HookName } from './hook-names.ts';

/** The stage that timed out, and its limit. */
interface TimedOutStage {
  readonly hook: HookName;
  readonly timeoutMs: number;
  readonly state: 'running' | 'waiting';
  readonly tool: string | undefined;
  /** The plugin of the running tap. */
  readonly plugin: string | undefined;
}

/** Returns the error for a hook that ran too long, or waited too long in a queue. */
export function timeoutError({ hook, timeoutMs, state, tool, plugin }: TimedOutStage): ToolkitError {
  const subject = hook === 'execute' ? `The tool "${tool}"` : `Plugin "${plugin ?? '(none)'}" in "${hook}"`;
  const ownAdvice =
    hook === 'execute'
      ? 'Ask for less; its definition can allow more (execution.timeout_ms)'
      : `Raise timeoutsMs.${hook} in the configuration`;
  const message =
    state === 'waiting'
      ? `${subject} could not begin within ${maxWaitMs} ms and was stopped: what it needs is in use or does not start. Try again later.`
      : `${subject} did not end within ${timeoutMs} ms and was stopped. ${ownAdvice}.`;
  return new ToolkitError('TIMEOUT', message, {
    hook,
    timeoutMs: state === 'waiting' ? maxWaitMs : timeoutMs,
    ...(plugin === undefined ? {} : { plugin }),
    ...(tool === undefined ? {} : { tool }),
  });
}
