import {
  type CallContext,
  codeOfStatus,
  type ErrorCode,
  excerpt,
  isPlainObject,
  messageOf,
  retryAfter,
  type Tool,
  ToolkitError,
} from '../../kernel/index.ts';
import { providerWords } from './provider-words.ts';
import type { ReadResponse } from './response.ts';

/** The error that a status outside 200 to 299 means, with the provider's own words. */
export function statusError({ tool, mask }: CallContext, headers: Headers, { status, body }: ReadResponse): ToolkitError {
  const code = codeOfStatus(status, isLimit(headers));
  const retryAfterMs = retryAfter(headers) ?? (code === 'RATE_LIMITED' ? limitReset(headers) : undefined);
  const words = excerpt(mask(providerWords(body)));
  const said = words === '' ? '' : ` It says: ${words}`;
  return new ToolkitError(code, `The service answered ${status} to "${tool.name}": ${meaningOf(code, tool)}.${said}`, {
    tool: tool.name,
    status,
    ...(words === '' ? {} : { providerMessage: words }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The error that a request without a (whole) answer means. A ToolkitError and the reason of an abort pass unchanged. */
export function connectionError({ tool, signal, mask }: CallContext, host: string, error: unknown): unknown {
  if (ToolkitError.is(error)) return error;
  if (signal.aborted) return signal.reason;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (ToolkitError.is(cause)) return cause;
  const { code } = isPlainObject(cause) || cause instanceof Error ? (cause as { code?: string }) : {};
  const what = [...new Set([code, messageOf(cause)])].filter((part) => part !== undefined && part !== '').join(': ');
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `"${tool.name}" got no whole answer from ${host}: ${excerpt(mask(what))}. Check the address and the network.`,
    { tool: tool.name },
    { cause: error },
  );
}

/** Some services limit with 403 in place of 429. */
function isLimit(headers: Headers): boolean {
  return retryAfter(headers) !== undefined || headers.get('x-ratelimit-remaining') === '0';
}

/** What an error code from a service means for the caller of the tool, and what to do. */
export function meaningOf(code: ErrorCode, tool: Tool): string {
  const names = tool.credentials.map(({ secret }) => secret).join(', ');
  const scopes = tool.definition.authentication?.required_scopes ?? [];
  switch (code) {
    case 'AUTH_FAILED':
      return `the token is invalid or expired${names === '' ? '' : `. Renew ${names}`}`;
    case 'INSUFFICIENT_SCOPE':
      return `the token has insufficient scopes${scopes.length === 0 ? '' : `; the tool needs scope ${scopes.join(', ')}`}`;
    case 'NOT_FOUND':
      return 'the thing does not exist, or the token may not see it';
    case 'RATE_LIMITED':
      return 'too many requests. Wait before calling again';
    case 'UPSTREAM_UNAVAILABLE':
      return 'the service failed. Try again later';
    case 'TIMEOUT':
      return 'it took the service too long. Try again later, or ask for less';
    case 'EXECUTION_FAILED':
      return 'the service could not do it';
    default:
      return 'the request was malformed or refused. Correct the parameters';
  }
}

/** X-RateLimit-Reset as milliseconds from now: epoch seconds, or, where the number is small, seconds to wait. */
function limitReset(headers: Headers): number | undefined {
  const value = headers.get('x-ratelimit-reset') ?? '';
  if (!/^\d{1,10}$/.test(value)) return undefined;
  const seconds = Number(value);
  return Math.max(0, seconds < 1e9 ? seconds * 1000 : seconds * 1000 - Date.now());
}
