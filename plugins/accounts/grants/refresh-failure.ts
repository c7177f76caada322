import { isPlainObject, ToolkitError } from '../../../kernel/index.ts';

/**
 * Kind of a failed refresh. `ended`: the provider no longer accepts the refresh token. `unanswered`: the provider may have acted. `unchanged`:
 * it has not, such as when nothing was sent or the client is refused.
 */
export type RefreshFailure = 'ended' | 'unanswered' | 'unchanged';

/** Codes of errors after which a request may have been sent, when the error says nothing else. */
const inDoubt: ReadonlySet<string> = new Set(['UPSTREAM_UNAVAILABLE', 'TIMEOUT', 'ABORTED']);

/** Returns the kind of an error of `RefreshGrant`. An unknown error may have come after the request. */
export function refreshFailure(error: unknown): RefreshFailure {
  if (!ToolkitError.is(error)) return 'unanswered';
  const { oauth } = error.details;
  if (!isPlainObject(oauth)) return inDoubt.has(error.code) ? 'unanswered' : 'unchanged';
  if (oauth['kind'] === 'unanswered') return 'unanswered';
  return oauth['kind'] === 'refused' && oauth['error'] === 'invalid_grant' ? 'ended' : 'unchanged';
}
