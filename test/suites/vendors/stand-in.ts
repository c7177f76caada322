import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../../fixtures/servers/when-read.ts';
import type { SeenRequest } from '../../support/loopback.ts';

export type Answerer = (request: SeenRequest, response: ServerResponse) => void;

/** A server on loopback in place of all vendors, each below its name. It lives as long as the suite. */
export interface StandIn {
  readonly url: string;
  /** Gives these answers while `run` runs, and the requests that came meanwhile. */
  during(answer: Answerer, run: () => Promise<void>): Promise<readonly SeenRequest[]>;
  close(): Promise<void>;
}

export async function startStandIn(): Promise<StandIn> {
  let answer: Answerer = (_, response) => void response.writeHead(500).end();
  let requests: SeenRequest[] = [];
  const server = createServer(
    whenRead(({ method = '', url = '', headers }, body, response) => {
      const seen = { method, url, headers, body: body.toString('utf8') };
      requests.push(seen);
      answer(seen, response);
    }),
  );
  // Connections end with the suite: one that is closed for want of requests may be closed in the face of the next.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    during: async (answering, run) => {
      answer = answering;
      requests = [];
      await run();
      return requests;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
