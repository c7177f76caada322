import type { Endpoint } from './endpoint.ts';

/** An endpoint for a path, with the values in it. */
export interface Matched {
  readonly endpoint: Endpoint;
  readonly values: Readonly<Record<string, string>>;
}

/** The outcome of a search: an endpoint, the methods that the path takes instead, or nothing at this path. */
export type Match = Matched | { readonly allowed: readonly string[] } | undefined;

/**
 * Finds the endpoint of a path below `/console/api/`, as it was sent. Each `{name}` of a template takes one segment, decoded; a template with fewer of
 * them goes first, so that `approvals/decide` is no record.
 */
export function matchEndpoint(endpoints: readonly Endpoint[], method: string, path: string): Match {
  const found: Matched[] = [];
  for (const endpoint of endpoints) {
    const values = valuesIn(endpoint.path, path);
    if (values !== undefined) found.push({ endpoint, values });
  }
  const fitting = found.filter(({ endpoint }) => endpoint.method === method);
  const [best] = fitting.sort((one, other) => Object.keys(one.values).length - Object.keys(other.values).length);
  if (best !== undefined) return best;
  return found.length === 0 ? undefined : { allowed: [...new Set(found.map(({ endpoint }) => endpoint.method))].sort() };
}

function valuesIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [expected, received] = [template.split('/'), path.split('/')];
  if (expected.length !== received.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = received[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return values;
}

/** Decodes one segment; undefined for one that names nothing, or is not UTF-8. */
function decoded(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return ['', '.', '..'].includes(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
