import { describeValue, isUnsafeInteger, type JsonValue, type ToolkitError } from '../../../kernel/index.ts';
import type { Paginate } from '../definition/paginate.ts';
import { valueAt } from '../response/answer-path.ts';
import { nextLinkValue, pagingError, queryOf } from './next-link.ts';
import { bestPageSize } from './page-size.ts';
import { isNumber, type Page, type PageRequest, type PageResult, type Pages, type PagesContext } from './pages.ts';

type Next = Paginate['next'];
type Values = Readonly<Record<string, JsonValue>>;

/**
 * Makes the pages of a list whose service names the next page. A cursor is a position from which a page of any size can be
 * read. A link or a URL may depend on the page size, so the size stays the same from the first page on.
 */
export function pagesByAnswer(next: Next, context: PagesContext): Pages {
  const { size: rule } = context;
  const positionParameters = Object.values(next.url?.parameters ?? { only: (next.cursor ?? next.link)?.parameter ?? '' });
  const sizeOf = (wanted: number, maximum: number): number =>
    next.cursor === undefined ? bestPageSize(0, wanted, maximum) : Math.min(maximum, wanted);
  return {
    positionParameters,
    resumeParameters: positionParameters,
    nextRequest(from, wanted): PageRequest {
      const canChooseSize = rule !== undefined && (next.cursor !== undefined || from.isStart === true);
      return { position: canChooseSize ? { ...from, size: sizeOf(wanted, rule.maximum) } : from };
    },
    readPage({ position }, page): PageResult {
      const values = readNext(next, page, context);
      const size = position.size === undefined ? {} : { size: position.size };
      return { items: page.items, ...(values === undefined ? {} : { next: { values, ...size } }) };
    },
  };
}

function readNext({ cursor, link, url }: Next, page: Page, context: PagesContext): Values | undefined {
  if (cursor !== undefined) return nextByCursor(cursor, page, context);
  if (url !== undefined) return nextByUrl(url, page, context);
  const value = link === undefined ? undefined : nextLinkValue(page.headers, link.parameter, context);
  return link === undefined || value === undefined ? undefined : { [link.parameter]: value };
}

function nextByCursor({ path, parameter }: NonNullable<Next['cursor']>, { body }: Page, context: PagesContext): Values | undefined {
  const value = valueAt(body, path);
  if (isEnd(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw unexpected(context, path, 'a text or a number', value);
  return { [parameter]: value };
}

function nextByUrl({ path, parameters }: NonNullable<Next['url']>, { body }: Page, context: PagesContext): Values | undefined {
  const value = valueAt(body, path);
  if (isEnd(value)) return undefined;
  const query = typeof value === 'string' ? queryOf(value) : undefined;
  const found = Object.entries(parameters).flatMap(([name, parameter]): [string, JsonValue][] => {
    const text = query?.get(name);
    if (text === undefined || text === null) return [];
    const isCount = isNumber(context.parameters[parameter]) && /^\d+$/.test(text) && !isUnsafeInteger(text);
    return [[parameter, isCount ? Number(text) : text]];
  });
  if (found.length > 0) return Object.fromEntries(found);
  throw unexpected(context, path, `a URL with a query parameter of ${Object.keys(parameters).join(', ')}`, value);
}

function isEnd(value: JsonValue | undefined): value is undefined | null | false | '' {
  return value === undefined || value === null || value === false || value === '';
}

function unexpected(context: PagesContext, path: string, expected: string, value: unknown): ToolkitError {
  return pagingError(context, `expected ${expected} at "${path}" of the answer, received ${describeValue(value)}`);
}
