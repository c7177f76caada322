import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CallerIssuer,
  type HttpRoute,
  type HttpRouteResponse,
  InFlight,
  type Kernel,
  type Logger,
  toUrl,
} from '../../../../../kernel/index.ts';
import { pathOf } from '../checks.ts';
import type { RequestEdge } from '../edge/request-edge.ts';
import { serverFailed, stopping } from '../refusals.ts';
import type { HttpRefusal } from '../reply.ts';
import { findRoute, isOwnPath } from './find-route.ts';
import { isOwnPage, isProgram } from './page-origin.ts';
import { readRouteBody } from './route-body.ts';
import { sendRouteRefusal, sendRouteResponse } from './route-reply.ts';

export interface PluginRoutesOptions {
  readonly kernel: Pick<Kernel, 'httpRoutes' | 'closing'>;
  readonly logger: Logger;
  readonly edge: Pick<RequestEdge, 'refuse'>;
  /** URL of the server for its clients. @default the address that it listens on */
  readonly publicUrl: string | undefined;
  /** Asked for each page: a file of tokens may be loaded again. */
  readonly hasSeveralCallers: () => boolean;
  /** Issuers of the access tokens that the server accepts. @default none */
  readonly issuers?: readonly CallerIssuer[];
  /** Time limit of one request, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
}

/** Maximum number of running requests: they come without a token. */
const maxRunning = 100;

const busy: HttpRefusal = {
  status: 503,
  message: 'Too many pages are open at this moment. Try again.',
  headers: { 'retry-after': '1' },
};
const tooSlow: HttpRefusal = { status: 503, message: 'The page took too long. Try again later.' };
const foreignPage: HttpRefusal = {
  status: 403,
  reason: 'origin',
  message:
    'This was sent by a page of another site. Open the page on this server and send it there; behind a proxy, "resource" must be the URL that browsers use.',
};

/** Routes of plugins. Their requests carry no token, so little is taken of each: a short body, for a short time. */
export class PluginRoutes {
  readonly #options: PluginRoutesOptions;
  readonly #running = new InFlight<ServerResponse, ServerResponse>();
  #ownOrigin = '';

  constructor(options: PluginRoutesOptions) {
    this.#options = options;
    for (const { path } of options.kernel.httpRoutes.routes)
      if (isOwnPath(path)) options.logger.warn(`a plugin adds the route "${path}", which is the server's own: it is not served`);
  }

  /** Reports the address to the plugins. `url`: the address that the server listens on. */
  open(url: string): void {
    const { kernel, publicUrl, hasSeveralCallers, issuers = [] } = this.#options;
    this.#ownOrigin = publicUrl === undefined ? reachableOrigin(url) : toUrl(publicUrl).origin;
    kernel.httpRoutes.serve({
      baseUrl: this.#ownOrigin,
      issuers,
      get hasSeveralCallers() {
        return hasSeveralCallers();
      },
    });
  }

  close(): void {
    this.#options.kernel.httpRoutes.serve(undefined);
  }

  /** Returns the route of a path; undefined where there is none. */
  find(path: string): HttpRoute | undefined {
    return findRoute(this.#options.kernel.httpRoutes.routes, path);
  }

  /** Resolves when every request so far has its response, or has lost its connection. */
  answered(): Promise<void> {
    return this.#running.empty();
  }

  /** Answers a request, whose Host has been checked, also with its failure. */
  async answer(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#check(route, request) ?? (await this.#run(route, request, response));
    if (refusal === undefined || response.headersSent || response.destroyed) return;
    this.#options.edge.refuse(request, refusal);
    sendRouteRefusal(response, refusal);
    // Reads and drops the rest of the body, so that the connection can be used again.
    request.resume();
  }

  #check({ methods = ['GET'], body }: HttpRoute, { method, headers }: IncomingMessage): HttpRefusal | undefined {
    if (!methods.some((allowed) => allowed === method))
      return { status: 405, message: `The method ${method} is not supported.`, headers: { allow: methods.join(', ') } };
    const isAccepted = (body === 'json' && isProgram(headers)) || isOwnPage(method, headers, this.#ownOrigin);
    if (!isAccepted) return foreignPage;
    if (this.#options.kernel.closing.aborted) return stopping;
    return this.#running.size >= maxRunning ? busy : undefined;
  }

  async #run(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<HttpRefusal | undefined> {
    const ending = new AbortController();
    this.#running.set(response, response);
    const leave = (): void => ending.abort(new Error('The client has closed its connection.'));
    response.once('close', leave);
    try {
      const body = request.method === 'POST' ? await readRouteBody(request, route.body ?? 'form') : { form: new URLSearchParams() };
      if ('status' in body) return body;
      const answer = await this.#limited(ending, () => route.handle({ ...partsOf(request), ...body, signal: ending.signal }));
      if (response.closed) return undefined;
      if (ending.signal.aborted) return tooSlow;
      sendRouteResponse(response, answer as HttpRouteResponse);
      return undefined;
    } catch (error) {
      // Not logged: the client disconnected in the middle of its request.
      if (request.complete) this.#options.logger.error(`the page "${route.path}" failed`, { error });
      return serverFailed;
    } finally {
      response.off('close', leave);
      this.#running.delete(response);
    }
  }

  /** Returns the answer; undefined when the client is gone or the time is over. */
  #limited(ending: AbortController, handle: () => HttpRouteResponse | Promise<HttpRouteResponse>): Promise<HttpRouteResponse | undefined> {
    const { timeoutMs = 30_000 } = this.#options;
    const { signal } = ending;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => ending.abort(new Error('The page took too long.')), timeoutMs);
      const end = (): void => {
        clearTimeout(timer);
        resolve(undefined);
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      else
        Promise.resolve()
          .then(handle)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
    });
  }
}

function partsOf(request: IncomingMessage) {
  const { url = '/', headers, socket, method } = request;
  const path = pathOf(url);
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1).replace(/#.*$/s, '') : '';
  return {
    method: method as 'GET' | 'POST',
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])),
    address: socket.remoteAddress ?? '',
  };
}

/** Returns the origin of an address; loopback in place of "every address", which no browser opens. */
function reachableOrigin(url: string): string {
  const { origin, protocol, port, hostname } = toUrl(url);
  const loopback = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname];
  return loopback === undefined ? origin : `${protocol}//${loopback}:${port}`;
}
