import type { HttpRoute, HttpRouteAccess, PluginApi } from '../../../kernel/index.ts';
import { callbackPath, linkPath, signInPath } from './connect-paths.ts';

/** Returns the routes of logins by link. `handle`: `Connect.handle`, which may be loaded with the first request. */
export function connectRoutes(handle: HttpRoute['handle']): readonly HttpRoute[] {
  return [
    { path: linkPath, methods: ['GET', 'POST'], handle },
    { path: callbackPath, handle },
    { path: signInPath, handle },
  ];
}

/** Adds the routes to the HTTP server of this process, if one will run. Returns the server. */
export function addPages({ extend }: Pick<PluginApi, 'extend'>, handle: HttpRoute['handle']): HttpRouteAccess {
  const [access] = connectRoutes(handle).map((route) => extend.httpRoute(route));
  return access as HttpRouteAccess;
}
