import { createHmac } from 'node:crypto';
import type { HttpRouteRequest } from '../../../kernel/index.ts';
import { isEqual } from '../../shared/keys/equal-texts.ts';
import { linkTtlMs } from './connect-changes.ts';
import { sha256 } from './connect-keys.ts';
import type { ReadConnect } from './pending-connect.ts';

/**
 * Returns the name of a connect's cookie. `__Host-`: the browser takes it from this host over https only (RFC 6265bis, 4.1.3.2). A server on
 * http, which is one on loopback, cannot set such a cookie.
 */
function cookieName({ digest, connect }: ReadConnect): string {
  const name = `toolkit-connect-${digest.slice(0, 16)}`;
  return isSecure(connect.baseUrl) ? `__Host-${name}` : name;
}

/** Returns the header that sets a connect's cookie. `Lax`: the browser sends it with the provider's redirect too. */
export function setCookie(read: ReadConnect, value: string): Readonly<Record<string, string>> {
  // The code of a finished login may be shown for as long again.
  const seconds = value === '' ? 0 : (2 * linkTtlMs) / 1000;
  const secure = isSecure(read.connect.baseUrl) ? '; Secure' : '';
  return { 'set-cookie': `${cookieName(read)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}` };
}

/** Returns the values of a connect's cookie in a request: several where another page of the host has planted one. */
export function cookiesOf(request: HttpRouteRequest, read: ReadConnect): readonly string[] {
  const start = `${cookieName(read)}=`;
  const pairs = (request.headers['cookie'] ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length));
}

/** Returns the cookie of the browser that a connect is bound to; undefined when the request comes from another one. */
export function boundCookie(request: HttpRouteRequest, read: ReadConnect): string | undefined {
  const { browser } = read.connect;
  return browser === undefined ? undefined : cookiesOf(request, read).find((value) => isEqual(sha256(value), browser));
}

/** True for a person's visit. Programs that preview or prefetch a link must not take it from the person. */
export function isVisit({ headers }: HttpRouteRequest): boolean {
  return !isPrefetch(headers) && headers['sec-fetch-mode'] === 'navigate' && (headers['sec-fetch-dest'] ?? 'document') === 'document';
}

/** True for a request that a browser sends in advance. */
export function isPrefetch(headers: Readonly<Record<string, string>>): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => /prefetch|prerender|preview/i.test(headers[name] ?? ''));
}

/** Returns the token of a form for one browser. It is used once, because the key changes with each sent form. */
export function formToken({ connect }: ReadConnect, cookie: string): string {
  return createHmac('sha256', connect.formKey).update(cookie).digest('base64url');
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
