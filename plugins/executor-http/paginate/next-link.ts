import { parseUrl, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { linkTo } from './link-header.ts';
import type { PagesContext } from './pages.ts';

/** Only the query of a URL that a service names counts; nothing is ever sent to its host. */
const anyHost = 'http://service.invalid/';

/** The query of a URL, absolute or not, that stands in an answer; undefined for a text that is none. */
export function queryOf(url: string): URLSearchParams | undefined {
  return parseUrl(url, anyHost)?.searchParams;
}

/** What `Link: <…>; rel="next"` says of the query parameter that sends a declared one; undefined without such a link. */
export function linkedValue(headers: Headers, parameter: string, context: PagesContext): string | undefined {
  const target = linkTo(headers.get('link'), 'next');
  if (target === undefined) return undefined;
  const name = sentName(parameter, context);
  const value = queryOf(target)?.get(name) ?? '';
  if (value === '') throw pagingError(context, `the Link header names a next page without the query parameter "${name}"`);
  return value;
}

/** The name under which a parameter is sent in the query. */
function sentName(parameter: string, { execution }: PagesContext): string {
  const entries = Object.entries(execution.query_params ?? {});
  return entries.find(([, template]) => placeholdersIn(template).includes(parameter))?.[0] ?? parameter;
}

export function pagingError({ toolName }: Pick<PagesContext, 'toolName'>, problem: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `"${toolName}" cannot go through the pages of its list: ${problem}.`, {
    tool: toolName,
  });
}
