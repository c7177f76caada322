import type { Operation } from '../operations/operation.ts';

/** Finds the operation of a request: of several that fit, the one with the most literal characters in its path. */
export function createRouter(operations: readonly Operation[]): (method: string, url: URL) => Operation | undefined {
  const routes = operations.map((operation) => ({ operation, ...routeOf(operation.path) })).sort((a, b) => b.literals - a.literals);
  return (method, url) =>
    routes.find(
      ({ operation, pattern, query }) =>
        operation.method === method.toLowerCase() &&
        pattern.test(url.pathname) &&
        [...query].every(([name, value]) => url.searchParams.get(name) === value),
    )?.operation;
}

/** Splits a path such as `/files/{id}?acl` into a pattern, its fixed query and the number of its literal characters. */
function routeOf(path: string): { readonly pattern: RegExp; readonly query: URLSearchParams; readonly literals: number } {
  const [plain = ''] = path.split('#');
  const [place = '', query = ''] = plain.split('?');
  const parts = place.split(/\{[^{}]*\}/);
  const text = parts.map((part) => encodeURI(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/]*?');
  return { pattern: new RegExp(`^${text}/?$`), query: new URLSearchParams(query), literals: parts.join('').length + query.length };
}
