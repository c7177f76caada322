import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../fixtures/servers/when-read.ts';
import { secretsEnv, Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import type { SeenRequest } from '../support/loopback.ts';
import { packFolder } from './packs.ts';
import type { Answer, ProviderFixture } from './request-fixtures.ts';

/** A pack whose service is a loopback server, for all tests of a suite. */
export interface StandIn {
  readonly toolkit: Toolkit;
  /** Runs one call; gives its output, and the requests that it made. `answers` are given in order. */
  call(
    name: string,
    parameters: Readonly<Record<string, unknown>>,
    answers: readonly Answer[],
  ): Promise<{ output: unknown; requests: readonly SeenRequest[] }>;
  close(): Promise<void>;
}

export async function startStandIn(provider: string, { env, base_path: basePath = '' }: ProviderFixture): Promise<StandIn> {
  let left: Answer[] = [];
  let requests: SeenRequest[] = [];
  const server = createServer(
    whenRead(({ method = '', url = '', headers: sent }, read, response) => {
      requests.push({ method, url, headers: sent, body: read.toString('utf8') });
      const { status = 200, headers = {}, body }: Answer = left.shift() ?? { status: 500, body: 'no answer is left' };
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers }).end(text);
    }),
  );
  // Connections end with the suite: one that is closed for want of requests may be closed in the face of the next.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const toolkit = await Toolkit.init({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder(provider)],
    logger: memoryLogger(),
    plugins: [secretsEnv({ env: { ...env } })],
    providers: { [provider]: { base_url: `http://127.0.0.1:${port}${basePath}` } },
  });
  return {
    toolkit,
    async call(name, parameters, answers) {
      left = [...answers];
      requests = [];
      return { output: await toolkit.execute(name, parameters), requests };
    },
    async close() {
      await toolkit.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
