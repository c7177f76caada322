import { ask, cookiesOf } from '../../../plugins/console/request.ts';
import type { Claims, ForgedToken } from '../provider.ts';
import { hostOf, type Site, type Target } from '../target.ts';

/** Claims of a person who is an operator. */
export const ada: Claims = { sub: 'ada', groups: ['staff', 'operations'] };

/** Claims of a person who is none. */
export const eve: Claims = { sub: 'eve', groups: ['sales'] };

/** A login that a browser has begun, and that the provider has answered. */
export interface BegunLogin {
  /** Cookie of the browser. */
  readonly cookie: string;
  /** Query of the redirect to the console. */
  readonly query: URLSearchParams;
  /** Path of the redirect, with its query. */
  readonly redirect: string;
}

/** Begins a login in a browser without cookies, and signs a person in at the provider. */
export async function beginLogin(target: Target, site: Site, claims: Claims, forged?: ForgedToken): Promise<BegunLogin> {
  const begun = await ask(site.port, '/console/login/openid', { headers: { host: hostOf(site) } });
  if (begun.status !== 303) throw new Error(`The login did not begin: ${begun.status} ${begun.body}`);
  const query = target.provider.authorize(begun.headers.location ?? '', claims, forged);
  return { cookie: cookiesOf(begun), query, redirect: redirectOf(query) };
}

/** Returns the path to which the provider redirects. */
export function redirectOf(query: URLSearchParams): string {
  return `/console/login/callback?${query}`;
}
