import { type ErrorCode, excerpt, messageOf, sentence, ToolkitError } from '../../../kernel/index.ts';

/** Returns the HTTP status of an error of the client, at any depth of its causes; undefined without one. */
export function statusOf(error: unknown): number | undefined {
  for (const cause of causesOf(error)) {
    const { status, code, name } = cause as { readonly status?: unknown; readonly code?: unknown; readonly name?: unknown };
    if (typeof status === 'number') return status;
    if (typeof code === 'number' && code >= 400 && code < 600) return code;
    if (name === 'UnauthorizedError') return 401;
  }
  return undefined;
}

const codes: Readonly<Record<number, ErrorCode>> = { 401: 'AUTH_FAILED', 403: 'INSUFFICIENT_SCOPE', 429: 'RATE_LIMITED' };

/** Returns why a server cannot be reached, as an error that names it and what to do. */
export function connectionError(error: unknown, name: string): ToolkitError {
  const inner = toolkitErrorIn(error);
  if (inner?.details['server'] === name && (inner === error || inner.code === 'AUTH_REQUIRED')) return inner;
  const status = statusOf(error);
  const code = codes[status ?? 0] ?? (inner !== undefined && inner.code !== 'ABORTED' ? inner.code : 'UPSTREAM_UNAVAILABLE');
  const advice =
    code === 'AUTH_FAILED' || code === 'INSUFFICIENT_SCOPE'
      ? ' It refuses the credentials: check "headers" or "env" of the server in the configuration.'
      : '';
  const reason = sentence(excerpt(innermost(error), 400));
  const message = `The MCP server "${name}" cannot be reached: ${reason}${advice}`;
  return new ToolkitError(code, message, { server: name, ...(status === undefined ? {} : { status }) }, { cause: error });
}

/** Returns the message of an error with its deepest cause: `fetch failed` alone says nothing. */
function innermost(error: unknown): string {
  const own = messageOf(error);
  const deepest = causesOf(error).at(-1);
  const { code } = (deepest ?? {}) as { readonly code?: unknown };
  const reason = messageOf(deepest) || (typeof code === 'string' ? code : '');
  return reason === '' || own.includes(reason) ? own : `${own} (${reason})`;
}

/** Returns an error and its causes. A socket that tried several addresses has a list of errors: the first stands for all. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null && causes.length < 8; ) {
    causes.push(cause);
    const { cause: next, errors } = cause as { readonly cause?: unknown; readonly errors?: unknown };
    cause = next ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return causes;
}

function toolkitErrorIn(error: unknown): ToolkitError | undefined {
  return causesOf(error).find((cause): cause is ToolkitError => ToolkitError.is(cause));
}
