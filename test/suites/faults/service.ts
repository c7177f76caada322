import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that had an effect, or only read (`GET`). */
export interface Effect {
  readonly tool: string;
  readonly name: string;
  readonly isRead: boolean;
}

/** A service that logs the effects of requests. One with a known `Idempotency-Key` has none. A request that came has its effect, whatever becomes of its client. */
export class Service {
  /** Called for each request. Its answer waits for the promise. Replace it. */
  onRequest: (effect: Effect) => Promise<unknown> | undefined = () => undefined;
  readonly #counts = new Map<string, number>();
  readonly #keys = new Set<string>();
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => this.#handle(request, response));

  /** Resolves to the URL. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the number of effects of this name. */
  countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
    const effect = { tool: pathname.slice(1), name: searchParams.get('name') ?? '', isRead: request.method === 'GET' };
    const key = request.headers['idempotency-key'];
    if (!effect.isRead && !(typeof key === 'string' && this.#keys.has(key))) this.#counts.set(effect.name, this.countOf(effect.name) + 1);
    if (typeof key === 'string') this.#keys.add(key);
    const answer = (): void => {
      const isFound = !effect.isRead || effect.tool.startsWith('read') || this.countOf(effect.name) > 0;
      response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify({ name: effect.name }));
    };
    const answered = this.onRequest(effect);
    if (answered === undefined) answer();
    else void answered.then(answer);
  }
}
