/** Path of the pages of links; an id follows. */
export const linkPath = '/accounts/connect/';

/** Path of the provider's redirect. */
export const callbackPath = '/accounts/callback';

/** Returns the address of a link. */
export function linkUrl(baseUrl: string, id: string): string {
  return `${baseUrl}${linkPath}${id}`;
}

/** Returns the id in the address of a link; undefined for another address. */
export function idOfLink(url: unknown): string | undefined {
  const start = typeof url === 'string' ? url.lastIndexOf(linkPath) : -1;
  return start < 0 ? undefined : String(url).slice(start + linkPath.length);
}
