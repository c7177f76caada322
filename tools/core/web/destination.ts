import { parseUrl } from '../../../kernel/index.ts';
import { withQuery } from './request.ts';

interface Addressed {
  readonly url: string;
  readonly method?: string;
  readonly query?: unknown;
}

/** Returns the destination of a request for the approval question. */
export function requestDestination({ method = 'GET', url, query }: Addressed): string {
  return destination(method, withQuery(url, (query ?? {}) as Readonly<Record<string, unknown>>));
}

export function graphqlDestination({ url }: Addressed): string {
  return destination('POST', url);
}

export function downloadDestination({ url }: Addressed): string {
  return destination('GET', url);
}

/** Formats method and address, without the user name and password of a URL. */
function destination(method: string, address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return `${method} ${address}`;
  url.username = '';
  url.password = '';
  return `${method} ${url.href}`;
}
