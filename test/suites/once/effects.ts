import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with effects that it counts, by the name that a request gives. */
export class Effects {
  readonly #counts = new Map<string, number>();
  /** Values of the header Idempotency-Key that it has had. */
  readonly #known = new Set<string>();
  readonly #server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
    const name = searchParams.get('name') ?? '';
    if (request.method === 'POST') this.#add(pathname, name, request.headers['idempotency-key']);
    const count = this.#counts.get(`${pathname}?${name}`) ?? 0;
    const isFound = request.method === 'POST' || count > 0;
    // An answer that takes its time is one that a killed process does not hear.
    setImmediate(() =>
      response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify({ name, count })),
    );
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  of(pathname: string, name: string): number {
    return this.#counts.get(`${pathname}?${name}`) ?? 0;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #add(pathname: string, name: string, key: string | string[] | undefined): void {
    if (typeof key === 'string') {
      if (this.#known.has(`${pathname} ${key}`)) return;
      this.#known.add(`${pathname} ${key}`);
    }
    this.#counts.set(`${pathname}?${name}`, this.of(pathname, name) + 1);
  }
}
