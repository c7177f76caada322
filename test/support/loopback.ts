import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answering, whenRead } from '../../fixtures/servers/when-read.ts';
import { afterEach } from './after-each.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query as they came over the wire. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const servers: Server[] = [];

/** An HTTP server on a free loopback port that records what it gets; closed after the test. */
export async function loopback(
  answer: (request: SeenRequest, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly requests: SeenRequest[] }> {
  const requests: SeenRequest[] = [];
  const url = await loopbackServer(({ method = '', url: target = '', headers }, body, response) => {
    const seen = { method, url: target, headers, body: body.toString('utf8') };
    requests.push(seen);
    answer(seen, response);
  });
  return { url, requests };
}

/** An HTTP server on a free loopback port, closed after the test. Gives its URL. */
export async function loopbackServer(answer: Answering): Promise<string> {
  const server = createServer(whenRead(answer));
  servers.push(server);
  // A connection that is closed here while a request is on its way fails that request; the end of the test closes them all.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
