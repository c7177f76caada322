import type { Static, TSchema } from 'typebox';
import { findIssues, ToolkitError } from '../../../kernel/index.ts';

/** Maximum number of issues in a message. */
const maxIssues = 5;

/**
 * Returns the body of a request, or other values that it has, as the schema says. Throws INVALID_PARAMETERS with what was expected and received.
 * `what`: such as `The body`.
 */
export function checkBody<S extends TSchema>(schema: S, body: unknown, what = 'The body of the request'): Static<S> {
  const { issues } = findIssues(schema, body, maxIssues);
  if (issues.length === 0) return body as Static<S>;
  const shown = issues.map(({ path, message }) => (path === '' ? message : `"${path}" ${message}`)).join('; ');
  throw new ToolkitError('INVALID_PARAMETERS', `${what} is wrong: ${shown}. Reload the page, and try again.`, { issues });
}

/** Returns the values of a query as the schema says: texts, each given once. Throws INVALID_PARAMETERS. */
export function checkQuery<S extends TSchema>(schema: S, query: URLSearchParams): Static<S> {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice === undefined) return checkBody(schema, Object.fromEntries(query), 'The query of the request');
  const name = twice.slice(0, 50);
  throw new ToolkitError('INVALID_PARAMETERS', `The query of the request is wrong: expected "${name}" once, received it several times.`);
}
