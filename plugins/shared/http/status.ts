import type { ErrorCode } from '../../../kernel/index.ts';

/** Returns the error code of an HTTP status of 400 or above. `isLimit`: true when the answer says that a 403 is a rate limit. */
export function codeOfStatus(status: number, isLimit: boolean): ErrorCode {
  if (status === 429 || (status === 403 && isLimit)) return 'RATE_LIMITED';
  if (status === 401) return 'AUTH_FAILED';
  if (status === 403) return 'INSUFFICIENT_SCOPE';
  if (status === 404 || status === 410) return 'NOT_FOUND';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'BAD_REQUEST';
}

/** Parses Retry-After, seconds or an HTTP date, into milliseconds (RFC 9110, 10.2.3). Undefined when it is missing or invalid. */
export function parseRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
