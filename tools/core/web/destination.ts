import { parseUrl } from '../../../kernel/index.ts';
import { withQuery } from './request.ts';

interface Addressed {
  readonly url: string;
  readonly method?: string;
  readonly query?: unknown;
}

/** Where a request goes, for a person who is asked about it. */
export function requestDestination({ method = 'GET', url, query }: Addressed): string {
  return destination(method, withQuery(url, (query ?? {}) as Readonly<Record<string, unknown>>));
}

export function graphqlDestination({ url }: Addressed): string {
  return destination('POST', url);
}

export function downloadDestination({ url }: Addressed): string {
  return destination('GET', url);
}

/** Without the user name and the password that a URL may hold. */
function destination(method: string, address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return `${method} ${address}`;
  url.username = '';
  url.password = '';
  return `${method} ${url.href}`;
}
