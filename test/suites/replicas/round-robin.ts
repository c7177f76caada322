import { type Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy without sticky sessions: each request goes to the next of its servers, and what comes back is passed on as it comes. */
export class RoundRobin {
  /** By server. */
  readonly passed = new Map<number, number>();
  /** Requests whose server broke off in the middle of them. */
  broken = 0;
  /** A connection that is closed here while a request is on its way would fail that request. */
  readonly #server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => this.#pass(incoming, Buffer.concat(chunks), response, 0));
  });
  readonly #agent: Agent | false;
  #ports: readonly number[] = [];
  #next = 0;

  /** `agent`: keeps connections to its servers. @default one for each request */
  constructor(agent: Agent | false = false) {
    this.#agent = agent;
  }

  async open(ports: readonly number[]): Promise<void> {
    this.use(ports);
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/mcp`);
  }

  use(ports: readonly number[]): void {
    this.#ports = ports;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse, tried: number): void {
    const port = this.#ports[this.#next++ % this.#ports.length] as number;
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: this.#agent }, (answer) => {
      this.passed.set(port, (this.passed.get(port) ?? 0) + 1);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => this.#break(response));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      // Nothing of it was sent there.
      if (error.code === 'ECONNREFUSED' && tried < this.#ports.length) this.#pass(incoming, body, response, tried + 1);
      else this.#break(response);
    });
    response.once('close', () => outgoing.destroy());
    outgoing.end(body);
  }

  #break(response: ServerResponse): void {
    if (!response.destroyed && !response.writableFinished) this.broken++;
    response.destroy();
  }
}
