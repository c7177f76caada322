import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../support/until.ts';

/** The service behind the tools of the servers: it records its requests, holds them as long as the test wants, and notices the clients that leave. */
export class World {
  /** By path, whoever waits there. */
  readonly #waiting = new Map<string, ServerResponse>();
  readonly #gone = new Set<string>();
  /** By path, what was told there. */
  readonly told = new Map<string, string[]>();
  /** A connection that is closed here while a request is on its way would fail that request. */
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'GET') {
      this.#waiting.set(path, response);
      response.once('close', () => void this.#gone.add(path));
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.once('end', () => {
      this.told.set(path, [...(this.told.get(path) ?? []), body]);
      response.end();
    });
  });

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves once somebody waits there. `call`: who is to. Rejects when that ends first. */
  async comes(path: string, call?: Promise<unknown>): Promise<void> {
    const comes = until(() => this.#waiting.get(path));
    const ends = call?.then((end) => Promise.reject(new Error(`the call that was to wait at ${path} has ended: ${JSON.stringify(end)}`)));
    await Promise.race([comes, ends ?? comes]);
  }

  async release(path: string): Promise<void> {
    await this.comes(path);
    this.#waiting.get(path)?.end('released');
  }

  /** Resolves once whoever waited there has gone, or was released. */
  async goes(path: string): Promise<void> {
    await until(() => this.#gone.has(path) || undefined);
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
