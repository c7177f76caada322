import type { HttpRouteRequest } from '../../../kernel/index.ts';

/**
 * Maximum number of values of one cookie that are looked at. Another page of the host can plant further ones, one for each part of a path, which come
 * first: with a few allowed values they would hide that of the operator.
 */
const maxValues = 20;

/**
 * Returns the name of a cookie at this address. `__Host-`: a browser takes it from this host over https only, and no page of another host can plant it
 * (RFC 6265bis, 4.1.3.2). A server on http, which is one on loopback, cannot set such a cookie.
 */
function nameAt(baseUrl: string, name: string): string {
  return isHttps(baseUrl) ? `__Host-${name}` : name;
}

export interface CookieSettings {
  readonly name: string;
  /** An empty one ends the cookie. */
  readonly value: string;
  readonly maxAgeS: number;
  /** `Strict`: no page of another site makes the browser send it. `Lax`: it is sent with links and redirects of other sites too. */
  readonly sameSite: 'Strict' | 'Lax';
}

/** Returns the header that sets a cookie of the server at this address. */
export function setCookie(baseUrl: string, { name, value, maxAgeS, sameSite }: CookieSettings): Readonly<Record<string, string>> {
  const secure = isHttps(baseUrl) ? '; Secure' : '';
  const seconds = value === '' ? 0 : Math.floor(maxAgeS);
  return { 'set-cookie': `${nameAt(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${secure}` };
}

/** Returns the values of a cookie in a request. */
export function cookieValues({ headers }: HttpRouteRequest, baseUrl: string, name: string): readonly string[] {
  const start = `${nameAt(baseUrl, name)}=`;
  const pairs = (headers['cookie'] ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length))
    .slice(0, maxValues);
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
