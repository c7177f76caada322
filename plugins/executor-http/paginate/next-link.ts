import { parseUrl, placeholdersIn, ToolkitError } from '../../../kernel/index.ts';
import { linkTo } from './link-header.ts';
import type { PagesContext } from './pages.ts';

/** Only the query of a URL from a service is used. Nothing is ever sent to this host. */
const placeholderHost = 'http://service.invalid/';

/** Returns the query of a URL in an answer, absolute or not; undefined for a text that is no URL. */
export function queryOf(url: string): URLSearchParams | undefined {
  return parseUrl(url, placeholderHost)?.searchParams;
}

/** Returns the value that `Link: <…>; rel="next"` has for the query parameter of a declared parameter; undefined without such a link. */
export function nextLinkValue(headers: Headers, parameter: string, context: PagesContext): string | undefined {
  const target = linkTo(headers.get('link'), 'next');
  if (target === undefined) return undefined;
  const name = queryNameOf(parameter, context);
  const value = queryOf(target)?.get(name) ?? '';
  if (value === '') throw pagingError(context, `the Link header names a next page without the query parameter "${name}"`);
  return value;
}

/** Returns the query parameter that sends a declared parameter. */
function queryNameOf(parameter: string, { execution }: PagesContext): string {
  const entries = Object.entries(execution.query_params ?? {});
  return entries.find(([, template]) => placeholdersIn(template).includes(parameter))?.[0] ?? parameter;
}

export function pagingError({ toolName }: Pick<PagesContext, 'toolName'>, problem: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `"${toolName}" cannot read the pages of its list: ${problem}.`, {
    tool: toolName,
  });
}
