import { type CallContext, excerpt, isPlainObject, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { codeOfStatus, parseRetryAfterMs } from '../../shared/http/status.ts';
import type { ErrorWhen } from '../definition/error-when.ts';
import { errorAdvice } from './error-advice.ts';
import { errorBodyText } from './error-body-text.ts';
import type { ReadResponse } from './response.ts';
import { serviceCode } from './service-code.ts';

/** Makes the error of a status outside 200 to 299, with the provider's own words. */
export function statusError(
  { tool, mask }: CallContext,
  rule: ErrorWhen | undefined,
  headers: Headers,
  { status, body }: ReadResponse,
): ToolkitError {
  const providerCodes = serviceCode(rule ?? {}, body);
  const code = providerCodes.code ?? codeOfStatus(status, isRateLimit(headers));
  const retryAfterMs = parseRetryAfterMs(headers) ?? (code === 'RATE_LIMITED' ? limitReset(headers) : undefined);
  const shownCode = excerpt(mask(providerCodes.providerCode ?? ''), 100);
  const providerText = excerpt(mask(errorBodyText(body)));
  const messageSuffix = providerText === '' ? '' : ` It says: ${providerText}`;
  return new ToolkitError(code, `The service answered ${status} to "${tool.name}": ${errorAdvice(code, tool, status)}.${messageSuffix}`, {
    tool: tool.name,
    status,
    ...(shownCode === '' ? {} : { providerCode: shownCode }),
    ...(providerText === '' ? {} : { providerMessage: providerText }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Makes the error of a request without a complete answer. A ToolkitError and the reason of an abort pass unchanged. */
export function connectionError({ tool, signal, mask }: CallContext, host: string, error: unknown): unknown {
  if (ToolkitError.is(error)) return error;
  if (signal.aborted) return signal.reason;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  if (ToolkitError.is(cause)) return cause;
  const { code } = isPlainObject(cause) || cause instanceof Error ? (cause as { code?: string }) : {};
  const causeText = [...new Set([code, messageOf(cause)])].filter((part) => part !== undefined && part !== '').join(': ');
  return new ToolkitError(
    'UPSTREAM_UNAVAILABLE',
    `"${tool.name}" got no whole answer from ${host}: ${excerpt(mask(causeText))}. Check the address and the network.`,
    { tool: tool.name },
    { cause: error },
  );
}

/** True for a rate limit. Some services answer 403 in place of 429. */
function isRateLimit(headers: Headers): boolean {
  return parseRetryAfterMs(headers) !== undefined || headers.get('x-ratelimit-remaining') === '0';
}

/** Parses X-RateLimit-Reset as milliseconds from now: epoch seconds, or, for a small number, seconds to wait. */
function limitReset(headers: Headers): number | undefined {
  const value = headers.get('x-ratelimit-reset') ?? '';
  if (!/^\d{1,10}$/.test(value)) return undefined;
  const seconds = Number(value);
  return Math.max(0, seconds < 1e9 ? seconds * 1000 : seconds * 1000 - Date.now());
}
