import { type ErrorCode, excerpt, messageOf, sentence, ToolkitError } from '../../../kernel/index.ts';

/** Returns the HTTP status of an error of the client, at any depth of its causes; undefined without one. */
export function statusOf(error: unknown): number | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth++) {
    const { status, code, name } = cause as { readonly status?: unknown; readonly code?: unknown; readonly name?: unknown };
    if (typeof status === 'number') return status;
    if (typeof code === 'number' && code >= 400 && code < 600) return code;
    if (name === 'UnauthorizedError') return 401;
    cause = (cause as { readonly cause?: unknown }).cause;
  }
  return undefined;
}

const codes: Readonly<Record<number, ErrorCode>> = { 401: 'AUTH_FAILED', 403: 'INSUFFICIENT_SCOPE', 429: 'RATE_LIMITED' };

/** Returns why a server cannot be reached, as an error that names it and what to do. */
export function connectionError(error: unknown, name: string): ToolkitError {
  if (ToolkitError.is(error) && error.details['server'] === name) return error;
  const status = statusOf(error);
  const inner = toolkitErrorIn(error);
  const code = codes[status ?? 0] ?? (inner !== undefined && inner.code !== 'ABORTED' ? inner.code : 'UPSTREAM_UNAVAILABLE');
  const advice =
    code === 'AUTH_FAILED' || code === 'INSUFFICIENT_SCOPE'
      ? 'It refuses the credentials: check "headers" or "env" of the server in the configuration.'
      : code === 'DEPENDENCY_MISSING'
        ? ''
        : 'It is tried again.';
  const reason = sentence(excerpt(innermost(error), 400));
  const message = `The MCP server "${name}" cannot be reached: ${reason} ${advice}`.trim();
  return new ToolkitError(code, message, { server: name, ...(status === undefined ? {} : { status }) }, { cause: error });
}

/** Returns the messages of an error and its cause: `fetch failed` alone says nothing. */
function innermost(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  const own = messageOf(error);
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  if (cause instanceof Error && !own.includes(cause.message) && own.length < 100)
    return `${own} (${cause.message || (typeof code === 'string' ? code : '')})`;
  return own;
}

function toolkitErrorIn(error: unknown): ToolkitError | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause !== undefined; depth++) {
    if (ToolkitError.is(cause)) return cause;
    cause = (cause as { readonly cause?: unknown } | null)?.cause;
  }
  return undefined;
}
