import type { IncomingMessage } from 'node:http';

type Headers = Pick<IncomingMessage['headers'], 'origin' | 'sec-fetch-site'>;

const trustedSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Returns true unless another page makes the browser send this (Fetch Metadata; Fetch standard, Origin header). A GET without Origin is a link, also on
 * other pages. A POST must come from a page of this server: its Origin is the server's own, or the browser says `same-origin`, also where the
 * Origin is `null` because of a referrer policy, or names the server by another name; or a person sends it (`none`).
 */
export function isOwnPage(method: string | undefined, { origin, 'sec-fetch-site': site }: Headers, ownOrigin: string): boolean {
  if (method !== 'POST' && origin === undefined) return true;
  if (typeof site === 'string') return trustedSites.has(site) && (origin === undefined || origin === ownOrigin || site === 'same-origin');
  return origin === ownOrigin;
}

/** Returns true for a request that no page makes a browser send: browsers name the origin of each POST (Fetch standard). */
export function isProgram({ origin, 'sec-fetch-site': site }: Headers): boolean {
  return origin === undefined && site === undefined;
}
