import { type OutboundFetch, parseUrl, type Tool, ToolkitError } from '../../kernel/index.ts';
import { RedirectCookies } from '../shared/http/redirect-cookies.ts';
import type { RenderedRequest } from './request/request.ts';
import { StreamedBody } from './request/streamed-body.ts';

/** As in fetch (Fetch Standard, HTTP-redirect fetch). */
const maxRedirects = 20;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export interface FollowOptions {
  readonly tool: Tool;
  readonly fetch: OutboundFetch;
  readonly signal: AbortSignal;
  /** The origin of the host in the first URL. The host of a redirect always counts as `parameter`. */
  readonly hostFrom: 'definition' | 'parameter';
  /** Masks a value that only this chain of redirects knows. */
  readonly maskAlso: (name: string, value: string) => void;
}

/**
 * Sends a request and follows redirects as fetch does, except that no credential reaches another origin: headers with one are
 * dropped, and a body with one, or with a file, is not sent on (OUTBOUND_BLOCKED). Cookies that a redirect sets go back to its
 * host in this chain.
 */
export async function sendWithRedirects(
  first: RenderedRequest,
  { tool, fetch, signal, hostFrom, maskAlso }: FollowOptions,
): Promise<Response> {
  const cookies = new RedirectCookies();
  let request = first;
  for (let count = 0; count <= maxRedirects; count++) {
    const { url, method, body = null, clientCertificate } = request;
    const headers = new Headers(request.headers);
    const cookie = cookies.headerFor(url, headers.get('cookie'));
    if (cookie !== undefined) headers.set('cookie', cookie);
    const options = {
      hostFrom: url.host === first.url.host ? hostFrom : ('parameter' as const),
      ...(clientCertificate === undefined || url.origin !== first.url.origin ? {} : { clientCertificate }),
    };
    const sent = body instanceof StreamedBody ? await openStream(body, headers) : { body };
    const response = await fetch(url, { method, headers, ...sent, signal, redirect: 'manual' }, options);
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    const target = location === null ? undefined : parseUrl(location, url);
    if (target === undefined) return response;
    await response.body?.cancel();
    for (const value of await cookies.take(url, response.headers)) maskAlso('cookie', value);
    request = redirectRequest(request, target, response.status, tool);
  }
  throw new ToolkitError('UPSTREAM_UNAVAILABLE', `${first.url.host} redirected "${tool.name}" more than ${maxRedirects} times.`, {
    tool: tool.name,
  });
}

/** Opens the body and sets its length: a service may refuse a body without one. */
async function openStream(body: StreamedBody, headers: Headers): Promise<RequestInit> {
  const { stream, length } = await body.open();
  headers.set('content-length', String(length));
  return { body: stream, duplex: 'half' } as RequestInit;
}

function redirectRequest(request: RenderedRequest, url: URL, status: number, tool: Tool): RenderedRequest {
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  const isOtherOrigin = url.origin !== request.url.origin;
  const isFile = request.body instanceof StreamedBody;
  if (isOtherOrigin && (request.hasSecretBody || isFile) && !becomesGet) {
    throw new ToolkitError(
      'OUTBOUND_BLOCKED',
      `${request.url.host} redirected "${tool.name}" to ${url.host}, which was not followed because the body holds a ${isFile ? 'file' : 'credential'}.`,
      { tool: tool.name, host: url.host },
    );
  }
  const { clientCertificate: _certificate, ...withoutCertificate } = request;
  const source = isOtherOrigin ? withoutCertificate : request;
  const headers = new Headers(request.headers);
  if (isOtherOrigin) for (const name of [...request.secretHeaders, 'authorization', 'cookie']) headers.delete(name);
  if (!becomesGet) return { ...source, url, headers };
  for (const name of ['content-type', 'content-encoding', 'content-language', 'content-location']) headers.delete(name);
  return { ...source, url, headers, method: 'GET', body: undefined, hasSecretBody: false };
}
