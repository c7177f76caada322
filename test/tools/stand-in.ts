import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { whenRead } from '../../fixtures/servers/when-read.ts';
import { secretsEnv, Toolkit } from '../../plugins/toolkit/index.ts';
import { type LogRecord, memoryLogger } from '../../plugins/toolkit/testing.ts';
import type { SeenRequest } from '../support/loopback.ts';
import type { Answer, ProviderFixture } from './fixture-shapes.ts';
import { packFolder } from './packs.ts';

/** A pack whose service is a loopback server, for all tests of a suite. */
export interface StandIn {
  readonly toolkit: Toolkit;
  /** Gives these answers, in order, to what `run` makes the pack send. */
  during<T>(answers: readonly Answer[], run: () => Promise<T>): Promise<Exchange<T>>;
  close(): Promise<void>;
}

/** A result, the requests behind it, and the log records meanwhile. */
export interface Exchange<T> {
  readonly result: T;
  readonly requests: readonly SeenRequest[];
  readonly records: readonly LogRecord[];
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
  const logger = memoryLogger();
  const toolkit = await Toolkit.init({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder(provider)],
    logger,
    plugins: [secretsEnv({ env: { ...env } })],
    providers: { [provider]: { base_url: `http://127.0.0.1:${port}${basePath}` } },
  });
  return {
    toolkit,
    async during(answers, run) {
      left = [...answers];
      requests = [];
      const before = logger.records.length;
      const result = await run();
      return { result, requests, records: logger.records.slice(before) };
    },
    async close() {
      await toolkit.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
