import type { Cookie, Dispatcher } from 'undici';
import { toUrl } from '../../kernel/index.ts';
import { ForwardingHandler } from '../shared/http/forwarding-handler.ts';
import type { RedirectCookies } from '../shared/http/redirect-cookies.ts';
import { headerEntries } from './header-entries.ts';

/** A request in a chain of redirects that fetch follows by itself. */
export interface ChainedRequest extends Dispatcher.DispatchOptions {
  readonly chain?: RedirectCookies | undefined;
}

/** Wraps `dispatch` to send the cookies of a chain of redirects, and to store those that a redirect sets. */
export function redirectCookies(dispatch: Dispatcher['dispatch'], parse: (line: string) => Cookie | null): Dispatcher['dispatch'] {
  return (request, handler) => {
    const { chain, ...rest }: ChainedRequest = request;
    if (chain === undefined) return dispatch(request, handler);
    const url = toUrl(`${rest.origin}${rest.path}`);
    const headers = withCookies(rest.headers, chain, url);
    const sent = headers === undefined ? rest : { ...rest, headers };
    return dispatch(sent, new CookieReader(handler, chain, url, parse));
  };
}

/** Returns the headers with the cookies of the chain; undefined where they do not change. */
function withCookies(headers: ChainedRequest['headers'], chain: RedirectCookies, url: URL): Record<string, string | string[]> | undefined {
  const entries = headerEntries(headers);
  const ownCookie = entries.find(([name]) => name.toLowerCase() === 'cookie')?.[1];
  const cookie = chain.headerFor(url, ownCookie === undefined ? ownCookie : String(ownCookie));
  if (cookie === undefined || cookie === ownCookie) return undefined;
  return Object.fromEntries([...entries.filter(([name]) => name.toLowerCase() !== 'cookie'), ['cookie', cookie]]);
}

class CookieReader extends ForwardingHandler {
  readonly #chain: RedirectCookies;
  readonly #url: URL;
  readonly #parse: (line: string) => Cookie | null;

  constructor(next: Dispatcher.DispatchHandler, chain: RedirectCookies, url: URL, parse: (line: string) => Cookie | null) {
    super(next);
    this.#chain = chain;
    this.#url = url;
    this.#parse = parse;
  }

  override onResponseStart(...args: Parameters<ForwardingHandler['onResponseStart']>): void {
    const [, status, { 'set-cookie': lines = [] }] = args;
    if (status >= 300 && status < 400)
      this.#chain.add(
        this.#url,
        [lines].flat().flatMap((line) => this.#parse(line) ?? []),
      );
    super.onResponseStart(...args);
  }
}
