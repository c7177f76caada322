import type { HttpRoute } from '../../../../kernel/index.ts';
import { loopbackServer } from '../../../support/loopback.ts';

/** Serves routes on loopback as the HTTP transport does. Returns the origin. */
export async function serveRoutes(routes: () => readonly HttpRoute[]): Promise<string> {
  return loopbackServer(async (request, body, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://site');
    const route = routes().find(({ path }) => (path.endsWith('/') ? pathname.startsWith(path) : pathname === path));
    const method = request.method as 'GET' | 'POST';
    if (route === undefined || !(route.methods ?? ['GET']).includes(method))
      return void response.writeHead(route === undefined ? 404 : 405).end();
    const answer = await route.handle({
      method,
      path: pathname,
      query: searchParams,
      headers: request.headers as Record<string, string>,
      form: new URLSearchParams(body.toString()),
      address: '127.0.0.1',
      signal: new AbortController().signal,
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
}
