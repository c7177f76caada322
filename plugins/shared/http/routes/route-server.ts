import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpRoute, type HttpRouteResponse, InFlight, type Logger } from '../../../../kernel/index.ts';
import { pathOf } from '../host-check.ts';
import { type RequestRefusal, stopping } from '../refusal.ts';
import { isOwnPage, isProgram } from './page-origin.ts';
import { readRouteBody } from './route-body.ts';
import { sendRouteRefusal, sendRouteResponse } from './route-reply.ts';
import { discardStream, isStream } from './route-stream.ts';
import { RouteStreams } from './route-streams.ts';

export interface RouteServerOptions {
  readonly logger: Logger;
  /** Aborts when the server takes no new work. Streams end then. */
  readonly closing: AbortSignal;
  /** Returns the origin that browsers know the server by. */
  readonly ownOrigin: () => string;
  /** Advice for a page that is refused because of its origin: `"resource" must be the URL that browsers use`. Continues a sentence. */
  readonly originAdvice: string;
  /** Is notified of refusals. */
  readonly refused?: (request: IncomingMessage, refusal: RequestRefusal) => void;
  /** Time limit of one request until its answer begins, in milliseconds. @default 30000 */
  readonly timeoutMs?: number;
}

/** Maximum number of running requests: they come without a token. */
const maxRunning = 100;

const busy: RequestRefusal = {
  status: 503,
  message: 'Too many pages are open at this moment. Try again.',
  headers: { 'retry-after': '1' },
};
const tooSlow: RequestRefusal = { status: 503, message: 'The page took too long. Try again later.' };
const failed: RequestRefusal = { status: 500, message: 'The server failed.' };

/** Answers requests to routes of plugins. They carry no token, so little is taken of each: a short body, for a short time. */
export class RouteServer {
  readonly #options: RouteServerOptions;
  readonly #running = new InFlight<ServerResponse, ServerResponse>();
  readonly #streams: RouteStreams;

  constructor(options: RouteServerOptions) {
    this.#options = options;
    this.#streams = new RouteStreams(options.closing);
  }

  /** Resolves when every request so far has its response or its stream, or has lost its connection. */
  answered(): Promise<void> {
    return this.#running.empty();
  }

  /** Answers a request, whose Host has been checked, also with its failure. */
  async answer(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = this.#check(route, request) ?? (await this.#run(route, request, response));
    if (refusal === undefined || response.headersSent || response.destroyed) return;
    this.#options.refused?.(request, refusal);
    sendRouteRefusal(response, refusal);
    // Reads and drops the rest of the body, so that the connection can be used again.
    request.resume();
  }

  #check({ methods = ['GET'], body }: HttpRoute, { method, headers }: IncomingMessage): RequestRefusal | undefined {
    const { ownOrigin, originAdvice, closing } = this.#options;
    if (!methods.some((allowed) => allowed === method))
      return { status: 405, message: `The method ${method} is not supported.`, headers: { allow: methods.join(', ') } };
    const isAccepted = (body === 'json' && isProgram(headers)) || isOwnPage(method, headers, ownOrigin());
    if (!isAccepted)
      return {
        status: 403,
        reason: 'origin',
        message: `This was sent by a page of another site. Open the page on this server and send it there; ${originAdvice}.`,
      };
    if (closing.aborted) return stopping;
    return this.#running.size >= maxRunning ? busy : undefined;
  }

  async #run(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<RequestRefusal | undefined> {
    const ending = new AbortController();
    this.#running.set(response, response);
    const leave = (): void => ending.abort(new Error('The client has closed its connection.'));
    response.once('close', leave);
    try {
      const body = request.method === 'POST' ? await readRouteBody(request, route) : { form: new URLSearchParams() };
      if ('status' in body) return body;
      const answer = await this.#limited(ending, () => route.handle({ ...partsOf(request), ...body, signal: ending.signal }));
      if (response.closed) return undefined;
      if (answer === undefined && ending.signal.aborted) return tooSlow;
      if (!isStream(answer?.body)) return void sendRouteResponse(response, answer as HttpRouteResponse);
      this.#running.delete(response);
      return await this.#streams.send(response, answer, answer.body, ending);
    } catch (error) {
      // Not logged: the client disconnected in the middle of its request.
      if (request.complete) this.#options.logger.error(`the page "${route.path}" failed`, { error });
      return failed;
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
          .then((answer) => {
            if (signal.aborted && isStream(answer?.body)) discardStream(answer.body);
            resolve(answer);
          })
          .catch(reject)
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
