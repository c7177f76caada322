import type { Static, TObject, TSchema } from 'typebox';
import { excerpt, findIssues, ToolkitError } from '../../../kernel/index.ts';

/** Maximum number of issues in a message. */
const maxIssues = 5;

/**
 * Returns the body of a request, or other values that it has, as the schema says. Throws INVALID_PARAMETERS with what was expected and received.
 * `what`: such as `The body`.
 */
export function checkBody<S extends TSchema>(schema: S, body: unknown, what = 'The body of the request'): Static<S> {
  const { issues } = findIssues(schema, body, maxIssues);
  if (issues.length === 0) return body as Static<S>;
  const shown = issues.map(({ path, message }) => (path === '' ? message : `"${path}" ${message}`).replace(/\.$/, '')).join('; ');
  throw new ToolkitError('INVALID_PARAMETERS', `${what} is wrong: ${shown}. Reload the page, and try again.`, { issues });
}

/** Returns the values of a query as the schema says: texts and integers, each given once. Throws INVALID_PARAMETERS. */
export function checkQuery<Shape extends Readonly<Record<string, TSchema>>>(
  schema: TObject<Shape>,
  query: URLSearchParams,
): Static<TObject<Shape>> {
  const twice = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (twice !== undefined)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      `The query of the request is wrong: expected "${excerpt(twice, 50)}" once, received it several times. Reload the page, and try again.`,
    );
  const values = [...query].map(([name, text]) => {
    const isInteger = Object.hasOwn(schema.properties, name) && (schema.properties[name] as { type?: unknown }).type === 'integer';
    return [name, isInteger && /^\d{1,15}$/.test(text) ? Number(text) : text] as const;
  });
  return checkBody(schema, Object.fromEntries(values), 'The query of the request');
}
