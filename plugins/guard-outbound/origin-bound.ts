import type { Dispatcher } from 'undici';
import { ToolkitError, toUrl } from '../../kernel/index.ts';
import type { GuardedDispatcher } from './guarded-dispatcher.ts';
import { refuseRequest } from './refuse-request.ts';

/** Headers that say nothing about who sends a request; fetch sets most of them itself. */
const plainHeaders = /^(accept(-.*)?|content-.*|user-agent|range|if-.*|cache-control|pragma|connection|sec-fetch-.*)$/i;

/**
 * Sends one request and those that fetch makes of it when it follows redirects. From the first hop to another origin on, headers that
 * may prove who calls stay behind; fetch itself keeps back no more than Authorization and Cookie (Fetch Standard, HTTP-redirect fetch).
 * A request that comes with a client certificate is not followed there at all.
 */
export class OriginBound {
  readonly #dispatcher: GuardedDispatcher;
  readonly #origin: string;
  readonly #hasCertificate: boolean;
  #hasLeft = false;

  constructor(dispatcher: GuardedDispatcher, origin: string, hasCertificate: boolean) {
    this.#dispatcher = dispatcher;
    this.#origin = origin;
    this.#hasCertificate = hasCertificate;
  }

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { origin, host } = toUrl(String(request.origin));
    this.#hasLeft ||= origin !== this.#origin;
    if (!this.#hasLeft) return this.#dispatcher.dispatch(request, handler);
    if (this.#hasCertificate) return refuseRequest(handler, notFollowed(this.#origin, host));
    return this.#dispatcher.dispatch({ ...request, headers: plainOf(request.headers) }, handler);
  }
}

function plainOf(headers: Dispatcher.DispatchOptions['headers']): Record<string, string | string[]> {
  const entries = Array.isArray(headers)
    ? Array.from({ length: headers.length / 2 }, (_, index) => [headers[index * 2] ?? '', headers[index * 2 + 1] ?? ''] as const)
    : Symbol.iterator in (headers ?? {})
      ? [...(headers as Iterable<[string, string]>)]
      : Object.entries((headers ?? {}) as Record<string, string>);
  return Object.fromEntries(entries.filter(([name]) => plainHeaders.test(name)));
}

function notFollowed(origin: string, host: string): ToolkitError {
  const message = `${toUrl(origin).host} redirected a request to ${host}, which was not followed because the request has a client certificate.`;
  return new ToolkitError('OUTBOUND_BLOCKED', message, { host });
}
