import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawRequest } from '../decoder/decode-request.ts';

/** A server on loopback that keeps requests as they came. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Returns the requests since the last time. */
  take(): readonly RawRequest[];
}

/** Starts a receiver. @default answer 404 */
export async function startReceiver(answer: (request: RawRequest, response: ServerResponse) => void = answerNotFound): Promise<Receiver> {
  let requests: RawRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', rawHeaders } = incoming;
      const request = { method, url, rawHeaders, body: Buffer.concat(chunks) };
      requests.push(request);
      answer(request, response);
    });
  });
  // A connection that is closed here while a request is on its way fails that request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = requests;
      requests = [];
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An error: the check of a successful answer, which no round looks at, would take longer than all else. */
function answerNotFound(_request: RawRequest, response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
}
