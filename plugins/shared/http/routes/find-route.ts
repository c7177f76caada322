import type { HttpRoute } from '../../../../kernel/index.ts';

/** Returns the route of a path: one with this path, else the longest with a `/` at its end that it begins with. */
export function findRoute(routes: readonly HttpRoute[], path: string): HttpRoute | undefined {
  let found: HttpRoute | undefined;
  for (const route of routes) {
    if (route.path === path) return route;
    const isBelow = route.path.endsWith('/') && path.startsWith(route.path);
    if (isBelow && route.path.length > (found?.path.length ?? 0)) found = route;
  }
  return found;
}
