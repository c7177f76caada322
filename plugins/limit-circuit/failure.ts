import { ToolkitError } from '../../kernel/index.ts';

/** True for an answer that says that the service fails. 501 says that it never could (RFC 9110, 15.6.2). */
export function isFailedStatus(status: number): boolean {
  return status >= 500 && status !== 501;
}

/**
 * True for what a request throws because of the other side: no connection, a broken one, no answer in the time that the tool's definition
 * gives. What a plugin refuses, what the caller cancels, a time limit that came with the call and what is wrong with the request itself
 * say nothing about the service.
 */
export function isFailedRequest(error: unknown, signal: AbortSignal | null | undefined): boolean {
  if (signal?.aborted === true) return isToolTimeout(signal.reason);
  if (ToolkitError.is(error)) return false;
  // fetch puts what went wrong into `cause`; the system and undici give it a code.
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (ToolkitError.is(cause)) return false;
    if (typeof (cause as NodeJS.ErrnoException).code === 'string') return true;
  }
  return false;
}

/** The kernel's own limit. One that a handler sets may be what its caller has asked for, such as `timeout_ms` of `web_request`. */
function isToolTimeout(reason: unknown): boolean {
  return ToolkitError.is(reason) && reason.code === 'TIMEOUT' && reason.details['hook'] === 'execute';
}
