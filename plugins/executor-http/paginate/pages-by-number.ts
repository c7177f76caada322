import { describeValue } from '../../../kernel/index.ts';
import type { Paginate } from '../definition/paginate.ts';
import { hasPageLinks, linkTo } from './link-header.ts';
import { nextLinkValue, pagingError } from './next-link.ts';
import { bestPageSize, largestAlignedSize } from './page-size.ts';
import type { Page, PagePosition, PageRequest, PageResult, Pages, PagesContext } from './pages.ts';

type Rule = NonNullable<Paginate['next']['page']>;

/**
 * Makes the pages of a numbered list. A number is a position only together with the page size, so a caller needs both to
 * continue. Another size is used only where one of its pages begins at or before the same position; surplus items at the
 * beginning are dropped.
 */
export function pagesByNumber(kind: 'page' | 'link', { parameter, first = 1 }: Rule, context: PagesContext): Pages {
  const { size: rule } = context;
  const numberAt = ({ values }: PagePosition): number => Math.max(first, Number(values[parameter] ?? first));
  const place = (number: number, size: number | undefined): PagePosition => ({
    values: { [parameter]: number },
    ...(size === undefined ? {} : { size }),
  });
  const positionAt = (offset: number, maximum: number): PagePosition => {
    const size = largestAlignedSize(offset, maximum);
    return place(first + offset / size, size);
  };

  return {
    positionParameters: [parameter],
    isNumbered: true,
    resumeParameters: [parameter, ...(rule === undefined ? [] : [rule.parameter])],
    nextRequest(from, wanted): PageRequest {
      const number = numberAt(from);
      const itemsBefore = number === first ? 0 : from.size === undefined ? undefined : (number - first) * from.size;
      if (rule === undefined || itemsBefore === undefined || from.isSizeFixed === true) return { position: from };
      const size = bestPageSize(itemsBefore, wanted, rule.maximum);
      return { position: place(first + Math.floor(itemsBefore / size), size), skip: itemsBefore % size };
    },
    readPage({ position: requested, skip = 0 }, page, wanted): PageResult {
      const { items } = page;
      const number = numberAt(requested);
      const size = requested.size === undefined || rule === undefined ? undefined : Math.min(requested.size, rule.maximum);
      const hasMore = kind === 'link' ? hasNextLink(page, parameter, number, context) : hasNext(page, size);
      const next = place(number + 1, requested.size);
      // If a page is not full although others follow, it is unknown which items are missing. From there on, pages are returned whole.
      const isAligned = requested.isSizeFixed !== true && (hasMore ? items.length === size : items.length <= (size ?? 0));
      if (wanted === undefined || size === undefined || rule === undefined || !isAligned)
        return { items, ...(hasMore ? { next: { ...next, isSizeFixed: true } } : {}) };
      const accepted = items.slice(skip, skip + wanted);
      const end = skip + accepted.length;
      if (end < items.length) return { items: accepted, next: positionAt((number - first) * size + end, rule.maximum) };
      return { items: accepted, ...(hasMore ? { next } : {}) };
    },
  };
}

function hasNext({ headers, items }: Page, size: number | undefined): boolean {
  const link = headers.get('link');
  if (hasPageLinks(link)) return linkTo(link, 'next') !== undefined;
  return size === undefined ? items.length > 0 : items.length >= size;
}

function hasNextLink({ headers }: Page, parameter: string, number: number, context: PagesContext): boolean {
  const value = nextLinkValue(headers, parameter, context);
  if (value === undefined) return false;
  if (value === String(number + 1)) return true;
  throw pagingError(
    context,
    `the Link header goes from page ${number} to ${describeValue(value)}. Declare the parameter "${parameter}" as a string if that is no page number`,
  );
}
