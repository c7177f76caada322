import type { ErrorCode } from '../../../kernel/index.ts';

/** The error code that an HTTP status from 400 on means. `isLimit`: the answer says that a 403 is about too many requests. */
export function codeOfStatus(status: number, isLimit: boolean): ErrorCode {
  if (status === 429 || (status === 403 && isLimit)) return 'RATE_LIMITED';
  if (status === 401) return 'AUTH_FAILED';
  if (status === 403) return 'INSUFFICIENT_SCOPE';
  if (status === 404 || status === 410) return 'NOT_FOUND';
  return status >= 500 ? 'UPSTREAM_UNAVAILABLE' : 'BAD_REQUEST';
}

/** Retry-After as milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
