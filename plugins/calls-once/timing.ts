import type { Tool } from '../../kernel/index.ts';
import type { Intent } from './intent.ts';

/** A call whose intent took longer to write does not run, in milliseconds: its process is believed to live for two seconds more at least. */
export const startMs = 1000;

/** The time limit of tools that set none is two minutes at most. */
const longestMs = 120_000;

/** How long a function may wait for a free thread, which no time limit counts. */
const turnMs = 120_000;

/** How far clocks of processes may be apart, in milliseconds. */
const apartMs = 2000;

/** What a service may do with a request that nobody waits for any more takes no longer, in milliseconds, unless `verify.after_ms` says so. */
export const afterMs = 10_000;

/**
 * From when on, in epoch ms, an attempt has no effect any more that it has not had: its process may only have been held up, or a service may still
 * work on what it was sent. `ofService`: how long that may take.
 */
export function settledAt(intent: Exclude<Intent, { readonly state: 'done' }>, { execution }: Tool, ofService: number): number {
  if (intent.state === 'unknown') return intent.endedAt + ofService + (intent.error.code === 'OUTCOME_UNKNOWN' ? ownMs(execution) : 0);
  return intent.attempt.at + ownMs(execution) + ofService;
}

/** The time in which an attempt may have had its effect, in epoch ms. */
export interface Span {
  readonly beginsAt: number;
  readonly endsAt: number;
}

/** Widened for clocks that differ; it begins with a whole second, as services cut their times. */
export function spanOf(intent: Exclude<Intent, { readonly state: 'done' }>, tool: Tool, ofService: number): Span {
  const beginsAt = Math.floor((intent.attempt.at - apartMs) / 1000) * 1000;
  return { beginsAt, endsAt: settledAt(intent, tool, ofService) + apartMs };
}

function ownMs({ type, timeout_ms: limitMs = longestMs }: Tool['execution']): number {
  return startMs + limitMs + apartMs + (type === 'function' ? turnMs : 0);
}
