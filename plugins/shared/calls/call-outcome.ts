import { type CallOutput, type ErrorCode, isCarriedOut, ToolkitError } from '../../../kernel/index.ts';

/** What a run of a call came to. `again`: it was refused for now. */
export type Outcome =
  | { readonly type: 'completed'; readonly result: CallOutput }
  /** It had its effect, and gives no result. */
  | { readonly type: 'done'; readonly error: ToolkitError }
  | { readonly type: 'again'; readonly error: ToolkitError }
  | { readonly type: 'failed' | 'unknown' | 'aborted'; readonly error: ToolkitError };

/** A call that was refused so was not made. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['RATE_LIMITED', 'SECRET_STORE_UNAVAILABLE', 'STATE_UNAVAILABLE']);

/** What a call that has failed came to. */
export function outcomeOf(thrown: unknown, tool: string): Outcome {
  const error = ToolkitError.is(thrown) ? thrown : new ToolkitError('EXECUTION_FAILED', 'The call failed.', {}, { cause: thrown });
  if (isCarriedOut(error, tool)) return { type: 'done', error };
  // What can be found out later is asked again, with the same name.
  if (error.code === 'OUTCOME_UNKNOWN') return { type: error.retryable ? 'again' : 'unknown', error };
  if (error.code === 'ABORTED') return { type: 'aborted', error };
  // A service that says when it is there again, or an open circuit.
  const isAway = error.code === 'UPSTREAM_UNAVAILABLE' && error.details.retryAfterMs !== undefined;
  if (error.retryable && (refusals.has(error.code) || isAway)) return { type: 'again', error };
  return { type: 'failed', error };
}

const firstWaitMs = 1000;
const longestWaitMs = 5 * 60_000;

/** How long a call waits that was put back so often, in milliseconds: as long as its refusal says, up to a limit. */
export function waitMs(failures: number, { details: { retryAfterMs } }: ToolkitError): number {
  return Math.ceil(Math.min(longestWaitMs, retryAfterMs ?? firstWaitMs * 2 ** Math.min(failures - 1, 16)));
}
