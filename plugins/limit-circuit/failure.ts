import { ToolkitError } from '../../kernel/index.ts';

/** True for a status which says that the service fails. 501 says that the service does not support the request (RFC 9110, 15.6.2). */
export function isFailedStatus(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * True for an error caused by the service: no connection, a broken one, or no answer within the time limit of the tool's
 * definition. Not for a request that a plugin refuses, that the caller cancels, that exceeds a time limit given with the call,
 * or that is invalid itself.
 */
export function isFailedRequest(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted === true) return isToolTimeout(signal.reason);
  if (ToolkitError.is(error)) return false;
  // fetch puts the failure into `cause`; the system and undici give it a code.
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (ToolkitError.is(cause)) return false;
    if (typeof (cause as NodeJS.ErrnoException).code === 'string') return true;
  }
  return false;
}

/**
 * True for the kernel's own time limit. A limit set by a handler may be the choice of its caller, such as `timeout_ms` of
 * `web_request`.
 */
function isToolTimeout(reason: unknown): boolean {
  return ToolkitError.is(reason) && reason.code === 'TIMEOUT' && reason.details['hook'] === 'execute';
}
