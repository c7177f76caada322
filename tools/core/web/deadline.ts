import { ToolkitError } from '../../../kernel/index.ts';

export interface Deadline {
  /** Aborts with TIMEOUT when the time is over, and with the call. */
  readonly signal: AbortSignal;
  /** Stops the clock. */
  end(): void;
}

export function startDeadline(callSignal: AbortSignal, timeoutMs: number, host: string): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeoutError(host, timeoutMs)), timeoutMs);
  return { signal: AbortSignal.any([callSignal, controller.signal]), end: () => clearTimeout(timer) };
}

function timeoutError(host: string, timeoutMs: number): ToolkitError {
  return new ToolkitError('TIMEOUT', `${host} was not read within ${timeoutMs} ms. Try again with a larger "timeout_ms", or read less.`, {
    timeoutMs,
  });
}
