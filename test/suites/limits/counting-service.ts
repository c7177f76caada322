import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on a loopback port that takes as long as its requests say, and counts those that run. */
export class CountingService {
  /** Number of requests that run now. */
  running = 0;
  /** Largest number at the same time since `reset`. */
  most = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CountingService> {
    const server = createServer({ keepAliveTimeout: 0 });
    const service = new CountingService(server);
    server.on('request', ({ url = '' }, response) => {
      service.running++;
      service.most = Math.max(service.most, service.running);
      const timer = setTimeout(() => response.end('{}'), Number(new URL(url, 'http://service').searchParams.get('ms')));
      response.once('close', () => {
        clearTimeout(timer);
        service.running--;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.most = this.running;
  }

  /** Breaks the requests that run. */
  breakAll(): void {
    this.#server.closeAllConnections();
  }

  stop(): void {
    this.#server.close();
    this.breakAll();
  }
}
