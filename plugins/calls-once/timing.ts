import type { Tool } from '../../kernel/index.ts';
import type { OpenIntent } from './intent.ts';

/** Maximum time to write an intent, in milliseconds; after it the call does not run. Others take this process for alive at least two seconds longer. */
export const maxStartMs = 1000;

/** Maximum default time limit of a tool, in milliseconds. */
const maxDefaultTimeoutMs = 120_000;

/** Maximum wait of a function for a free thread, in milliseconds; time limits do not include it. */
const maxQueueMs = 120_000;

/** Maximum delay of a time limit, in milliseconds. */
const maxDelayMs = 2000;

/** Widening of an attempt's time for clocks that agree, in milliseconds: services truncate times. */
const precisionMs = 2000;

/** Maximum difference between the clock of a process and that of a service, in milliseconds. */
const maxClockSkewMs = 120_000;

/** Time for which a service may still work on an abandoned request, in milliseconds, unless `verify.after_ms` is set. */
export const defaultServiceMs = 10_000;

/**
 * Returns the time after which an attempt can have no further effect, in milliseconds from the moment at which its intent is written. Before it,
 * its process may only have been slow, or the service may still work on the request, for up to `serviceMs`. The store counts this time.
 */
export function settlingMs(state: OpenIntent['state'], code: string | undefined, { execution }: Tool, serviceMs: number): number {
  return serviceMs + (state === 'begun' || code === 'OUTCOME_UNKNOWN' ? maxAttemptMs(execution) : 0);
}

/** The time in which an attempt may have had its effect, epoch ms. */
export interface Span {
  readonly beginsAt: number;
  readonly endsAt: number;
}

/**
 * The time of an attempt, for clocks that agree (`near`), and for clocks that differ as much as may be (`wide`). An effect that only the wide one
 * has proves nothing.
 */
export interface Spans {
  readonly near: Span;
  readonly wide: Span;
}

/** Returns the spans of an attempt. They begin at a whole second, because services truncate times. */
export function spansOf(intent: OpenIntent, tool: Tool, serviceMs: number): Spans {
  const endsAt = hintedEnd(intent, tool, serviceMs);
  const spanOf = (marginMs: number): Span => ({
    beginsAt: Math.floor((intent.attempt.at - marginMs) / 1000) * 1000,
    endsAt: endsAt + marginMs,
  });
  return { near: spanOf(precisionMs), wide: spanOf(maxClockSkewMs) };
}

/** Returns when to look again, in milliseconds: a hint from clocks that may differ, at most the time for which an attempt settles. */
export function retryHintMs(intent: OpenIntent, tool: Tool, serviceMs: number): number {
  const maxMs = settlingMs(intent.state, codeOf(intent), tool, serviceMs);
  return Math.min(maxMs, Math.max(0, hintedEnd(intent, tool, serviceMs) - Date.now()));
}

/** Returns the error code of an attempt that ended. */
export function codeOf(intent: OpenIntent): string | undefined {
  return intent.state === 'unknown' ? intent.error.code : undefined;
}

/** Returns the end of an attempt by the clock of its process, epoch ms. */
function hintedEnd(intent: OpenIntent, tool: Tool, serviceMs: number): number {
  const startedAt = intent.state === 'unknown' ? intent.endedAt : intent.attempt.at;
  return startedAt + settlingMs(intent.state, codeOf(intent), tool, serviceMs);
}

function maxAttemptMs({ type, timeout_ms: limitMs = maxDefaultTimeoutMs }: Tool['execution']): number {
  return maxStartMs + limitMs + maxDelayMs + (type === 'function' ? maxQueueMs : 0);
}
