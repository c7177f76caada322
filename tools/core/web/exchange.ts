import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { startDeadline } from '../net/deadline.ts';
import { checkUrl } from './check-url.ts';
import { connectionError } from './fetch-error.ts';
import { type Followed, follow, type Outgoing } from './follow.ts';

/**
 * Sends a request, follows redirects, and runs `work` on the response within the time limit. Throws INVALID_PARAMETERS for the
 * address, OUTBOUND_BLOCKED, TIMEOUT and UPSTREAM_UNAVAILABLE; `work` handles the status.
 */
export async function exchange<T>(
  address: string,
  outgoing: Outgoing,
  timeoutMs: number,
  context: FunctionContext,
  work: (followed: Followed, signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const from = checkUrl(address);
  const deadline = startDeadline(context.signal, timeoutMs, () => tooSlow(from.host, timeoutMs));
  try {
    return await work(await follow(from, outgoing, context, deadline.signal), deadline.signal);
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw ToolkitError.is(error) ? error : connectionError(from.host, error);
  } finally {
    deadline.end();
  }
}

function tooSlow(host: string, timeoutMs: number): ToolkitError {
  return new ToolkitError('TIMEOUT', `${host} was not read within ${timeoutMs} ms. Try again with a larger "timeout_ms", or read less.`, {
    timeoutMs,
  });
}
