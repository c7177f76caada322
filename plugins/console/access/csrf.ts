import type { HttpRouteRequest } from '../../../kernel/index.ts';
import { isEqual } from '../../shared/keys/equal-texts.ts';
import type { Session } from './sessions.ts';

/** Header of a POST with the token of its session. Pages of other sites can neither read the token nor send the header without a preflight. */
export const csrfHeader = 'x-toolkit-csrf';

const ownSites: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

/**
 * True unless a page of another origin makes the browser send this (Fetch Metadata). A strict cookie keeps off other sites only: every port of a host is
 * one site.
 */
export function isOwnOrigin({ headers }: HttpRouteRequest): boolean {
  return ownSites.includes(headers['sec-fetch-site']);
}

/** True for a GET, and for a POST with the token of the session. */
export function hasCsrfToken({ method, headers }: HttpRouteRequest, { csrf }: Session): boolean {
  return method === 'GET' || isEqual(headers[csrfHeader] ?? '', csrf);
}
