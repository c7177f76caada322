import type { HttpRoute } from '../../../../../kernel/index.ts';
import { pathOf } from '../checks.ts';

const ownPaths: ReadonlySet<string> = new Set(['/', '/mcp', '/live', '/ready', '/health']);

/** Returns true for a path that the server keeps for itself, also where it answers nothing there. */
export function isOwnPath(path: string): boolean {
  return ownPaths.has(path) || path.startsWith('/.well-known/');
}

/** Returns the route of a path: one with this path, else the longest with a `/` at its end that the path begins with. */
export function findRoute(routes: readonly HttpRoute[], path: string): HttpRoute | undefined {
  if (routes.length === 0 || isOwnPath(path)) return undefined;
  let found: HttpRoute | undefined;
  for (const route of routes) {
    if (route.path === path && !path.endsWith('/')) return route;
    const isBelow = route.path.endsWith('/') && path.startsWith(route.path) && path.length > route.path.length;
    if (isBelow && route.path.length > (found?.path.length ?? 0)) found = route;
  }
  return found;
}

/** Returns the path for a log. What is below a route may be a secret of the person who opens it, such as the id of a login. */
export function loggedPath(routes: readonly HttpRoute[], target: string | undefined): string | undefined {
  const route = findRoute(routes, pathOf(target));
  return route?.path.endsWith('/') === true ? `${route.path}…` : undefined;
}
