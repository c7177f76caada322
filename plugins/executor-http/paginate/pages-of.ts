import type { Paginate } from '../definition/paginate.ts';
import { isNumber, type Pages, type PagesContext } from './pages.ts';
import { pagesByAnswer } from './pages-by-answer.ts';
import { pagesByNumber } from './pages-by-number.ts';
import { pagesByOffset } from './pages-by-offset.ts';

/** Returns the pages of a list, by the way that a definition declares. */
export function pagesOf({ next }: Paginate, context: PagesContext): Pages {
  if (next.page !== undefined) return pagesByNumber('page', next.page, context);
  if (next.link !== undefined && isNumber(context.parameters[next.link.parameter])) return pagesByNumber('link', next.link, context);
  return next.offset === undefined ? pagesByAnswer(next, context) : pagesByOffset(next.offset, context);
}
