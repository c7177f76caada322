import type { Operation } from '../operations/operation.ts';

/** Finds the operation of a request: of several that fit, the one with the most literal characters in its path. */
export function createRouter(operations: readonly Operation[]): (method: string, url: URL) => Operation | undefined {
  const routes = operations.map((operation) => ({ operation, ...routeOf(operation.path) })).sort((a, b) => b.literals - a.literals);
  return (method, url) => {
    const segments = segmentsOf(url.pathname);
    return routes.find(
      ({ operation, path, query }) =>
        operation.method === method.toLowerCase() &&
        path.length === segments.length &&
        path.every((parts, index) => isMatch(parts, segments[index] ?? '')) &&
        [...query].every(([name, value]) => url.searchParams.get(name) === value),
    )?.operation;
  };
}

interface Route {
  /** The literal parts of each segment, between which its parameters stand. */
  readonly path: readonly (readonly string[])[];
  readonly query: URLSearchParams;
  /** Number of literal characters. */
  readonly literals: number;
}

/** Splits a path such as `/files/{id}?acl`. */
function routeOf(given: string): Route {
  const [plain = ''] = given.split('#');
  // A parameter has no "/", "?" or "#" of its own: its name is not needed.
  const [place = '', query = ''] = plain.replaceAll(/\{[^{}]*\}/g, '{}').split('?');
  const path = segmentsOf(place).map((segment) => segment.split('{}').map((part) => encodeURI(part.toWellFormed())));
  return { path, query: new URLSearchParams(query), literals: place.replaceAll('{}', '').length + query.length };
}

/** Returns the segments of a path, without an empty one at its end. */
function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, '').split('/');
}

/** True when the parts stand in a segment in this order, with one character or more between them. Takes linear time, whatever the document's paths are. */
function isMatch([first = '', ...others]: readonly string[], segment: string): boolean {
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let end = first.length;
  for (const part of others) {
    const index = segment.indexOf(part, end + 1);
    if (index < 0) return false;
    end = index + part.length;
  }
  return segment.endsWith(last) && segment.length - last.length > end;
}
