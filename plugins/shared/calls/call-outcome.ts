import { type CallOutput, type ErrorCode, isCarriedOut, ToolkitError } from '../../../kernel/index.ts';

/** Outcome of one run of a call. `again`: refused for now, to be retried. */
export type Outcome =
  | { readonly type: 'completed'; readonly result: CallOutput }
  /** It had its effect, and has no result. */
  | { readonly type: 'done'; readonly error: ToolkitError }
  | { readonly type: 'again'; readonly error: ToolkitError }
  | { readonly type: 'failed' | 'unknown' | 'aborted'; readonly error: ToolkitError };

/** Codes of calls that were refused before they ran. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'RATE_LIMITED',
  'SECRET_STORE_UNAVAILABLE',
  'STATE_UNAVAILABLE',
  // Only where it says that it may be repeated: another process is refreshing the account.
  'AUTH_REQUIRED',
]);

/** Converts an error into the outcome of a call. */
export function outcomeOf(thrown: unknown, tool: string): Outcome {
  const error = ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', 'The call failed.', {}, { cause: thrown });
  if (isCarriedOut(error, tool)) return { type: 'done', error };
  // The outcome can be found out later: retry under the same name.
  if (error.code === 'OUTCOME_UNKNOWN') return { type: error.retryable ? 'again' : 'unknown', error };
  if (error.code === 'ABORTED') return { type: 'aborted', error };
  // A service that says when to retry, or an open circuit.
  const isAway = error.code === 'UPSTREAM_UNAVAILABLE' && error.details.retryAfterMs !== undefined;
  if (error.retryable && (refusals.has(error.code) || isAway)) return { type: 'again', error };
  return { type: 'failed', error };
}

const firstWaitMs = 1000;
const maxRetryDelayMs = 5 * 60_000;

/** Returns the retry delay in milliseconds after that many failures: the refusal's own delay, else exponential backoff, up to five minutes. */
export function retryDelayMs(failures: number, { details: { retryAfterMs } }: ToolkitError): number {
  return Math.ceil(Math.min(maxRetryDelayMs, retryAfterMs ?? firstWaitMs * 2 ** Math.min(failures - 1, 16)));
}
