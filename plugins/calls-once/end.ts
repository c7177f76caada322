import { type CallEnd, type ExecutionResult, isCarriedOut, stateLimits, type Tool } from '../../kernel/index.ts';
import { restoreError, toStoredError } from '../shared/calls/stored-error.ts';
import { hadNoEffect } from './effect.ts';
import type { Intent, ReadIntent } from './intent.ts';

/** Returns the stored result, or throws the stored error. */
export function storedResult(intent: Intent & { readonly state: 'done' }): ExecutionResult {
  if ('error' in intent) throw restoreError(intent.error, intent.attempt.tool);
  return { ...intent.result, meta: { once: 'before' } };
}

interface EndedCall {
  readonly tool: Tool;
  readonly written: ReadIntent;
  /** The intent of an earlier attempt. */
  readonly before: ReadIntent | undefined;
  /** True when the executor has returned a result. */
  readonly isExecuted: boolean;
  /** True when no request of the call reached a service. */
  readonly isUnsent: boolean;
}

/** Returns the intent to store for a call that ended here: the earlier one after a refusal; undefined when the call may be made again. */
export function intentAfterEnd(
  { tool, written, before, isExecuted, isUnsent }: EndedCall,
  outcome: CallEnd['outcome'],
): Intent | undefined {
  const { attempt } = written.intent;
  if (outcome.type === 'completed') {
    const { output, content } = outcome.result;
    return withoutLargeResult({ attempt, state: 'done', result: { output, ...(content === undefined ? {} : { content }) } });
  }
  const error = toStoredError(outcome.error);
  if (isExecuted || isCarriedOut(outcome.error, tool.name)) return { attempt, state: 'done', error };
  return isUnsent || hadNoEffect(outcome.error, tool) ? before?.intent : { attempt, state: 'unknown', error, endedAt: Date.now() };
}

/** Replaces a result that is too large for the store by an error: the call still counts as done. */
export function withoutLargeResult(intent: Intent & { readonly state: 'done' }): Intent {
  if (Buffer.byteLength(JSON.stringify(intent)) <= stateLimits.valueBytes) return intent;
  const { attempt } = intent;
  const message = `"${attempt.tool}" has had its effect, but its result was too large to be kept.`;
  return { attempt, state: 'done', error: { code: 'OUTPUT_TOO_LARGE', message } };
}
