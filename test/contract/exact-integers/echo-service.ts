import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../../fixtures/servers/when-read.ts';

export interface EchoRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface EchoService {
  readonly url: string;
  /** Those that came since the last look. */
  requests(): readonly EchoRequest[];
  /** Sets the JSON that it answers with, as text; it may depend on the request. */
  answer(text: string | ((request: EchoRequest) => string), contentType?: string): void;
  stop(): Promise<void>;
}

/** A service on loopback that keeps what it is sent and answers with a text of JSON, byte for byte. */
export async function startEcho(): Promise<EchoService> {
  const seen: EchoRequest[] = [];
  let [reply, type]: [(request: EchoRequest) => string, string] = [() => '{}', 'application/json'];
  const server = createServer(
    { keepAliveTimeout: 0 },
    whenRead(({ url = '', headers }, body, response) => {
      const request = { url: new URL(url, 'http://service'), headers, body: body.toString('utf8') };
      seen.push(request);
      response.writeHead(200, { 'content-type': type }).end(reply(request));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => seen.splice(0),
    answer(text, contentType = 'application/json') {
      [reply, type] = [typeof text === 'string' ? () => text : text, contentType];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
