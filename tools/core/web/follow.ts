import { Buffer } from 'node:buffer';
import { excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { RedirectCookies } from '../../../plugins/shared/http/redirect-cookies.ts';
import { strictUtf8 } from '../../../plugins/shared/text/utf8.ts';
import { isWeb } from './check-url.ts';

export interface Redirect {
  /** Address that responded with a redirect. */
  readonly url: string;
  readonly status: number;
}

export interface Followed {
  readonly response: Response;
  /** Address of the response. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
}

export interface Outgoing {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
}

/** Maximum number of redirects, as in browsers (Fetch Standard, 4.4). */
const maxRedirects = 20;

const redirecting = [301, 302, 303, 307, 308];

/** Headers that describe the body, and are removed with it (Fetch Standard, 4.4). */
const bodyHeaders = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** Headers that are sent to another origin; all others were meant for the first one. */
const crossOriginHeaders = ['accept', 'accept-language', 'user-agent', ...bodyHeaders];

/**
 * Sends a request and follows redirects, each behind the outbound guard, with the cookies that they set. A redirect without a
 * web address is returned as the response. Throws UPSTREAM_UNAVAILABLE for too many redirects, and for one to an address with a
 * user name.
 */
export async function follow(address: URL, outgoing: Outgoing, context: FunctionContext, signal: AbortSignal): Promise<Followed> {
  const redirects: Redirect[] = [];
  const cookies = new RedirectCookies();
  let url = address;
  let request = outgoing;
  for (;;) {
    const headers = new Headers(request.headers);
    const cookie = cookies.headerFor(url, headers.get('cookie'));
    if (cookie !== undefined) headers.set('cookie', cookie);
    const response = await context.fetch(url, { ...request, headers, redirect: 'manual', signal });
    const target = targetOf(response, url);
    if (target === undefined) return { response, url: withoutFragment(url), redirects };
    await response.body?.cancel();
    for (const value of await cookies.take(url, response.headers)) context.maskAlso('cookie', value);
    redirects.push({ url: withoutFragment(url), status: response.status });
    if (redirects.length > maxRedirects)
      throw unfollowed(address, `redirects more than ${maxRedirects} times, probably in a circle. Start from another address`);
    if (target.username !== '' || target.password !== '')
      throw unfollowed(
        url,
        `redirects to an address at ${target.host} with a user name, which is not followed. Start from another address`,
      );
    request = redirected(request, response.status, target.origin === url.origin);
    url = target;
  }
}

function targetOf({ status, headers }: Response, url: URL): URL | undefined {
  const location = redirecting.includes(status) ? headers.get('location') : null;
  const target = location === null ? undefined : parseUrl(asWritten(location), url);
  return target !== undefined && isWeb(target) ? target : undefined;
}

/** Decodes a header as UTF-8, as browsers do: fetch reads it as Latin-1, but servers write addresses in UTF-8. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return strictUtf8(bytes, { keepsMark: true }) ?? header;
}

function unfollowed({ host, href }: URL, what: string): ToolkitError {
  return new ToolkitError('UPSTREAM_UNAVAILABLE', `${host} gave no whole answer: ${excerpt(href)} ${what}.`, { retryable: false });
}

/** Removes the fragment, which is never sent to a server. */
function withoutFragment({ href }: URL): string {
  return href.replace(/#.*$/, '');
}

/** Returns the request to the next address (Fetch Standard, 4.4, steps 11 and 12). */
function redirected({ method, headers, body }: Outgoing, status: number, isSameOrigin: boolean): Outgoing {
  const becomesGet = (status === 303 && !['GET', 'HEAD'].includes(method)) || ([301, 302].includes(status) && method === 'POST');
  const kept = new Headers(
    [...headers].filter(([name]) => (isSameOrigin || crossOriginHeaders.includes(name)) && !(becomesGet && bodyHeaders.includes(name))),
  );
  if (becomesGet) return { method: 'GET', headers: kept };
  return { method, headers: kept, ...(body === undefined ? {} : { body }) };
}
