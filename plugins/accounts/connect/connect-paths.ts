import type { OpenLink } from './connect-links.ts';

/** Path of the pages of links; an id follows. */
export const linkPath = '/accounts/connect/';

/** Path of the provider's redirect. */
export const callbackPath = '/accounts/callback';

/** Path of the redirect of the server's own issuer. */
export const signInPath = '/accounts/sign-in';

/** Returns the address of a link. */
export function linkUrl({ id, connect }: OpenLink): string {
  return `${connect.baseUrl}${linkPath}${id}`;
}
