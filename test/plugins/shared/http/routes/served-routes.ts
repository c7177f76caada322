import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpRoute } from '../../../../../kernel/index.ts';
import { pathOf } from '../../../../../plugins/shared/http/host-check.ts';
import { findRoute } from '../../../../../plugins/shared/http/routes/find-route.ts';
import { RouteServer } from '../../../../../plugins/shared/http/routes/route-server.ts';
import { memoryLogger } from '../../../../../plugins/toolkit/testing.ts';
import { afterEach } from '../../../../support/after-each.ts';

const opened: (() => void)[] = [];

afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** A server on loopback with these routes, and nothing else. */
export async function served(...routes: readonly HttpRoute[]) {
  const logger = memoryLogger();
  const closing = new AbortController();
  const routeServer = new RouteServer({
    logger,
    closing: closing.signal,
    ownOrigin: () => 'http://127.0.0.1',
    originAdvice: 'that is all',
  });
  const server = createServer((request, response) => {
    const route = findRoute(routes, pathOf(request.url));
    if (route === undefined) response.writeHead(404).end();
    else void routeServer.answer(route, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, routeServer, closing, logger };
}
