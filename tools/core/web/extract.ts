import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { Selected } from './page-select.ts';
import { pageSource, type SourceParameters } from './page-source.ts';

/**
 * Returns the links of a page. Like the other functions here, it fetches a page or takes the given one, and parses it in a
 * child process: some pages take minutes.
 */

export function extractLinks({ same_host, ...source }: SourceParameters & { readonly same_host: boolean }, context: FunctionContext) {
  return inPage('./page-links.ts#linksOf', source, { same_host }, context);
}

export function extractMetadata(source: SourceParameters, context: FunctionContext) {
  return inPage('./page-metadata.ts#metadataOf', source, {}, context);
}

export function extractTables({ index, ...source }: SourceParameters & { readonly index?: number }, context: FunctionContext) {
  return inPage('./page-tables.ts#tablesOf', source, index === undefined ? {} : { index }, context);
}

/** Returns the main text of a page. Throws NOT_FOUND for a page without one. */
export async function extractArticle(source: SourceParameters, context: FunctionContext): Promise<unknown> {
  const { article, ...replaced } = (await inPage('./page-article.ts#articleOf', source, {}, context)) as { article: object | null };
  if (article !== null) return { ...article, ...replaced };
  const advice = `Read all of it with ${source.url === undefined ? 'convert_html_to_markdown' : 'web_fetch'}.`;
  throw new ToolkitError('NOT_FOUND', `${excerpt(source.url ?? 'The page')} has no recognizable main text. ${advice}`);
}

interface SelectParameters extends SourceParameters {
  readonly selector: string;
  readonly attribute?: string;
  readonly limit: number;
}

/** Returns the elements that a CSS selector matches. Throws INVALID_PARAMETERS for an invalid selector. */
export async function select({ selector, attribute, limit, ...source }: SelectParameters, context: FunctionContext): Promise<unknown> {
  const data = { selector, limit, ...(attribute === undefined ? {} : { attribute }) };
  const selected = (await inPage('./page-select.ts#selectFrom', source, data, context)) as Selected;
  if (!('unreadable' in selected)) return selected;
  const message = `expected a CSS selector, received "${excerpt(selector, 100)}" (${excerpt(selected.unreadable, 100)})`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "selector": ${message}.`, { issues: [{ path: 'selector', message }] });
}

async function inPage(
  code: string,
  source: SourceParameters,
  data: Readonly<Record<string, unknown>>,
  context: FunctionContext,
): Promise<unknown> {
  const { html, url, replaced } = await pageSource(source, context);
  const found = await context.inChild(code, { ...data, html, ...(url === undefined ? {} : { url }) });
  return { ...(found as object), ...replaced };
}
