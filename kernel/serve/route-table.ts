import { excerpt, ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import type { HttpRoute, HttpRouteAccess, HttpRoutes } from './http-route.ts';

type Server = Parameters<HttpRoutes['serve']>[0];

/** Segments of unreserved characters (RFC 3986, 2.3), so that a path has one form only. */
const routePath = /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+\/?$/;

/** Maximum of `maxBodyBytes`. A route without `access` reads the bodies of strangers into memory. */
const largestBodyBytes = 4 * 1024 * 1024;

/** The routes of all plugins, and the server that they run on. */
export class RouteTable implements HttpRoutes {
  readonly routes: HttpRoute[] = [];
  #server: Server;
  readonly #access: HttpRouteAccess = {
    baseUrl: () => this.#server?.baseUrl,
    hasSeveralCallers: () => this.#server?.hasSeveralCallers === true,
    issuers: () => this.#server?.issuers ?? [],
  };

  add(route: HttpRoute): HttpRouteAccess {
    this.routes.push(route);
    return this.#access;
  }

  serve(server: Server): void {
    this.#server = server;
  }
}

/** Throws PLUGIN_INVALID for a route that no server can have. */
export function checkRoute(route: HttpRoute, plugin: string): void {
  const { path, methods = ['GET'], body = 'form', access = 'anyone', maxBodyBytes = 1 } = route;
  const shown = typeof path === 'string' ? `"${excerpt(path)}"` : typeof path;
  if (typeof path !== 'string' || !routePath.test(path))
    throw invalid(
      plugin,
      `adds a route with the path ${shown}: expected "/" and names of letters, digits and "-._~", such as "/accounts/callback", or with "/" at its end for every path below it.`,
    );
  if (methods.length === 0 || !methods.every((method) => method === 'GET' || method === 'POST'))
    throw invalid(plugin, `adds the route ${shown} with the methods "${excerpt(methods.join(', '))}": expected GET, POST or both.`);
  if (body !== 'form' && body !== 'json')
    throw invalid(plugin, `adds the route ${shown} with the body "${excerpt(String(body))}": expected form or json.`);
  if (access !== 'anyone' && access !== 'operator')
    throw invalid(plugin, `adds the route ${shown} with the access "${excerpt(String(access))}": expected anyone or operator.`);
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1 || maxBodyBytes > largestBodyBytes)
    throw invalid(
      plugin,
      `adds the route ${shown} with "maxBodyBytes": expected an integer from 1 to ${largestBodyBytes}, received ${describeValue(maxBodyBytes)}.`,
    );
}

function invalid(plugin: string, what: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', `Plugin "${plugin}" ${what}`, { plugin });
}
