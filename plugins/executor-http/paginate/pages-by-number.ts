import { describeValue } from '../../../kernel/index.ts';
import type { Paginate } from '../definition/paginate.ts';
import { isAboutPages, linkTo } from './link-header.ts';
import { linkedValue, pagingError } from './next-link.ts';
import { sizeEndingAt, sizeFor } from './page-size.ts';
import type { Asked, Page, PagePosition, Pages, PagesContext, Turn } from './pages.ts';

type Rule = NonNullable<Paginate['next']['page']>;

/**
 * Makes the pages of a numbered list. A number is a position only together with the page size, so a caller needs both to
 * continue. Another size is used only where one of its pages begins at or before the same position; surplus items at the
 * beginning are dropped.
 */
export function pagesByNumber(kind: 'page' | 'link', { parameter, first = 1 }: Rule, context: PagesContext): Pages {
  const { size: rule } = context;
  const numberAt = ({ at }: PagePosition): number => Math.max(first, Number(at[parameter] ?? first));
  const place = (number: number, size: number | undefined): PagePosition => ({
    at: { [parameter]: number },
    ...(size === undefined ? {} : { size }),
  });
  const placeAt = (offset: number, maximum: number): PagePosition => {
    const size = sizeEndingAt(offset, maximum);
    return place(first + offset / size, size);
  };

  return {
    leads: [parameter],
    isCounted: true,
    resumes: [parameter, ...(rule === undefined ? [] : [rule.parameter])],
    ask(from, wanted): Asked {
      const number = numberAt(from);
      const before = number === first ? 0 : from.size === undefined ? undefined : (number - first) * from.size;
      if (rule === undefined || before === undefined || from.isFixed === true) return { place: from };
      const size = sizeFor(before, wanted, rule.maximum);
      return { place: place(first + Math.floor(before / size), size), skip: before % size };
    },
    take({ place: asked, skip = 0 }, page, wanted): Turn {
      const { items } = page;
      const number = numberAt(asked);
      const size = asked.size === undefined || rule === undefined ? undefined : Math.min(asked.size, rule.maximum);
      const goesOn = kind === 'link' ? isLinked(page, parameter, number, context) : hasNext(page, size);
      const next = place(number + 1, asked.size);
      // If a page is not full although others follow, it is unknown which items are missing. From there on, pages are returned whole.
      const isEven = asked.isFixed !== true && (goesOn ? items.length === size : items.length <= (size ?? 0));
      if (wanted === undefined || size === undefined || rule === undefined || !isEven)
        return { items, ...(goesOn ? { next: { ...next, isFixed: true } } : {}) };
      const kept = items.slice(skip, skip + wanted);
      const end = skip + kept.length;
      if (end < items.length) return { items: kept, next: placeAt((number - first) * size + end, rule.maximum) };
      return { items: kept, ...(goesOn ? { next } : {}) };
    },
  };
}

function hasNext({ headers, items }: Page, size: number | undefined): boolean {
  const link = headers.get('link');
  if (isAboutPages(link)) return linkTo(link, 'next') !== undefined;
  return size === undefined ? items.length > 0 : items.length >= size;
}

function isLinked({ headers }: Page, parameter: string, number: number, context: PagesContext): boolean {
  const value = linkedValue(headers, parameter, context);
  if (value === undefined) return false;
  if (value === String(number + 1)) return true;
  throw pagingError(
    context,
    `the Link header goes from page ${number} to ${describeValue(value)}. Declare the parameter "${parameter}" as a string if that is no page number`,
  );
}
