import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { afterEach } from '../support/after-each.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/**
 * A server on 127.0.0.1 that passes every request to `target` and every answer back as they are, piece by piece, and adds
 * `Authorization: Bearer <token>`: for clients that can send no header of their own. Host and Origin stay those of the client. Returns
 * the URL to use in place of `target`; closed after the test.
 */
export async function bearerProxy(target: string, token: string): Promise<string> {
  const { hostname, port, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((request, response) => {
    const headers = [...request.rawHeaders, 'Authorization', `Bearer ${token}`];
    const { method, url: path } = request;
    const outgoing = forward({ agent, hostname, port, method, path, headers, setHost: false });
    outgoing.once('response', (answer) => sendBack(answer, response));
    // The client has gone, or the server has.
    response.once('close', () => outgoing.destroy());
    outgoing.on('error', (error) => response.destroy(error));
    request.pipe(outgoing);
  });
  // A connection that is closed here while the client sends on it again would look like a fault of the target.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
    agent.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

function sendBack(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
  // The head of a stream that says nothing yet.
  response.flushHeaders();
  pipeline(answer, response, () => {});
}
