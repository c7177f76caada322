import type { Tool } from '../../kernel/index.ts';
import type { Intent } from './intent.ts';

/** Maximum time to write an intent, in milliseconds; after it the call does not run. Others take this process for alive at least two seconds longer. */
export const maxStartMs = 1000;

/** Maximum default time limit of a tool, in milliseconds. */
const maxDefaultTimeoutMs = 120_000;

/** Maximum wait of a function for a free thread, in milliseconds; time limits do not include it. */
const maxQueueMs = 120_000;

/** Maximum difference between the clocks of processes, in milliseconds. */
const maxClockSkewMs = 2000;

/** Time for which a service may still work on an abandoned request, in milliseconds, unless `verify.after_ms` is set. */
export const defaultServiceMs = 10_000;

/**
 * Returns the time, epoch ms, after which an attempt can have no further effect. Before it, its process may only have been slow, or the service
 * may still work on the request, for up to `ofService` milliseconds.
 */
export function settledAt(intent: Exclude<Intent, { readonly state: 'done' }>, { execution }: Tool, serviceMs: number): number {
  if (intent.state === 'unknown')
    return intent.endedAt + serviceMs + (intent.error.code === 'OUTCOME_UNKNOWN' ? maxAttemptMs(execution) : 0);
  return intent.attempt.at + maxAttemptMs(execution) + serviceMs;
}

/** The time in which an attempt may have had its effect, epoch ms. */
export interface Span {
  readonly beginsAt: number;
  readonly endsAt: number;
}

/** Returns the span of an attempt, widened by clock differences. It begins at a whole second, because services truncate times. */
export function spanOf(intent: Exclude<Intent, { readonly state: 'done' }>, tool: Tool, serviceMs: number): Span {
  const beginsAt = Math.floor((intent.attempt.at - maxClockSkewMs) / 1000) * 1000;
  return { beginsAt, endsAt: settledAt(intent, tool, serviceMs) + maxClockSkewMs };
}

function maxAttemptMs({ type, timeout_ms: limitMs = maxDefaultTimeoutMs }: Tool['execution']): number {
  return maxStartMs + limitMs + maxClockSkewMs + (type === 'function' ? maxQueueMs : 0);
}
