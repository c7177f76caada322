import { apiVersion, definePlugin, type HttpRoute, type HttpRouteAccess } from '../../../../kernel/index.ts';
import { type Answer, type Outgoing, send, type WireOptions, wireServer } from './wire.ts';

export const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
export const noToken = { authorization: undefined, accept: 'text/html' };

export type Handle = HttpRoute['handle'];

/** A server with these routes, and what their plugin knows of it. */
export async function serving(routes: Readonly<Record<string, Handle>>, { more = [], ...options }: WireOptions = {}) {
  let access: HttpRouteAccess | undefined;
  const pages = definePlugin({
    name: 'pages',
    apiVersion,
    apply({ extend }) {
      for (const [path, handle] of Object.entries(routes)) access = extend.httpRoute({ path, methods: ['GET', 'POST'], handle });
    },
  })();
  const server = await wireServer({ more: [...more, pages], ...options });
  return { ...server, access: access as HttpRouteAccess };
}

export const get = (port: number, path: string, headers: Outgoing['headers'] = {}): Promise<Answer> =>
  send(port, { method: 'GET', path, headers: { ...noToken, 'content-type': undefined, ...headers } });

export const post = (port: number, path: string, body: string | Buffer | undefined, headers: Outgoing['headers'] = {}): Promise<Answer> =>
  send(port, { path, headers: { ...noToken, ...form, ...headers }, ...(body === undefined ? {} : { body }) });

export const text =
  (body: string): Handle =>
  () => ({ status: 200, body });
