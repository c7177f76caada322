import type { HttpRoute } from '../../../../../kernel/index.ts';
import { pathOf } from '../../../../shared/http/host-check.ts';
import { findRoute } from '../../../../shared/http/routes/find-route.ts';

const ownPaths: ReadonlySet<string> = new Set(['/', '/mcp', '/live', '/ready', '/health']);

/** Returns true for a path that the server keeps for itself, also where it answers nothing there. */
export function isOwnPath(path: string): boolean {
  return ownPaths.has(path) || path.startsWith('/.well-known/');
}

/** Returns the route of a path that is not the server's own. */
export function findPluginRoute(routes: readonly HttpRoute[], path: string): HttpRoute | undefined {
  return routes.length === 0 || isOwnPath(path) ? undefined : findRoute(routes, path);
}

/** Returns the path for a log. What is below a route may be a secret of the person who opens it, such as the id of a login. */
export function loggedPath(routes: readonly HttpRoute[], target: string | undefined): string | undefined {
  const route = findPluginRoute(routes, pathOf(target));
  return route?.path.endsWith('/') === true ? `${route.path}…` : undefined;
}
