import type { Dispatcher } from 'undici';
import { ToolkitError, toUrl } from '../../kernel/index.ts';
import { RedirectCookies } from '../shared/http/redirect-cookies.ts';
import type { GuardedDispatcher } from './guarded-dispatcher.ts';
import { headerEntries } from './header-entries.ts';
import type { ChainedRequest } from './redirect-cookies.ts';
import { refuseRequest } from './refuse-request.ts';

/** Headers that do not identify the sender of a request. fetch sets most of them itself. */
const plainHeaderPattern = /^(accept(-.*)?|content-.*|user-agent|range|if-.*|cache-control|pragma|connection|sec-fetch-.*)$/i;

interface OriginBoundOptions {
  readonly hasCertificate: boolean;
  /** True when fetch follows redirects of the request. */
  readonly follows: boolean;
}

/**
 * Sends one request and the requests that fetch makes when it follows redirects. From the first hop to another origin on,
 * headers that may identify the sender are left out; fetch itself removes only Authorization and Cookie (Fetch Standard,
 * HTTP-redirect fetch). A request with a client certificate is not followed to another origin at all. Cookies that a redirect
 * sets go back to its host.
 */
export class OriginBoundDispatcher {
  readonly #dispatcher: GuardedDispatcher;
  readonly #origin: string;
  readonly #hasCertificate: boolean;
  /** The cookies of the redirects; undefined where fetch follows none. */
  readonly #cookies: RedirectCookies | undefined;
  #hasLeftOrigin = false;

  constructor(dispatcher: GuardedDispatcher, origin: string, { hasCertificate, follows }: OriginBoundOptions) {
    this.#dispatcher = dispatcher;
    this.#origin = origin;
    this.#hasCertificate = hasCertificate;
    this.#cookies = follows ? new RedirectCookies() : undefined;
  }

  dispatch(original: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { origin, host } = toUrl(String(original.origin));
    const request: ChainedRequest = this.#cookies === undefined ? original : { ...original, chain: this.#cookies };
    this.#hasLeftOrigin ||= origin !== this.#origin;
    if (!this.#hasLeftOrigin) return this.#dispatcher.dispatch(request, handler);
    if (this.#hasCertificate) return refuseRequest(handler, notFollowedError(this.#origin, host));
    return this.#dispatcher.dispatch({ ...request, headers: onlyPlainHeaders(request.headers) }, handler);
  }
}

function onlyPlainHeaders(headers: Dispatcher.DispatchOptions['headers']): Record<string, string | string[]> {
  return Object.fromEntries(headerEntries(headers).filter(([name]) => plainHeaderPattern.test(name)));
}

function notFollowedError(origin: string, host: string): ToolkitError {
  const message = `${toUrl(origin).host} redirected a request to ${host}, which was not followed because the request has a client certificate.`;
  return new ToolkitError('OUTBOUND_BLOCKED', message, { host });
}
