import type { Paginate } from '../definition/paginate.ts';
import { valueAt } from '../response/answer-path.ts';
import type { PageRequest, PageResult, Pages, PagesContext } from './pages.ts';

type Rule = NonNullable<Paginate['next']['offset']>;

/** Makes the pages of a list that begin after a number of items. */
export function pagesByOffset({ parameter, total_path: totalPath }: Rule, { size: rule }: PagesContext): Pages {
  return {
    positionParameters: [parameter],
    isNumbered: true,
    resumeParameters: [parameter],
    nextRequest: (from, wanted): PageRequest => ({
      position: { ...from, ...(rule === undefined ? {} : { size: Math.min(rule.maximum, wanted) }) },
    }),
    readPage({ position }, { body, items }, wanted): PageResult {
      const accepted = wanted === undefined ? items : items.slice(0, wanted);
      const end = Number(position.values[parameter] ?? 0) + accepted.length;
      const total = totalPath === undefined ? undefined : valueAt(body, totalPath);
      const remaining = typeof total === 'number' ? Math.max(0, total - end) : undefined;
      const isFull = position.size === undefined || items.length >= Math.min(position.size, rule?.maximum ?? position.size);
      const hasMore = items.length > 0 && (remaining === undefined ? isFull : remaining > 0);
      return {
        items: accepted,
        ...(hasMore ? { next: { values: { [parameter]: end }, ...(position.size === undefined ? {} : { size: position.size }) } } : {}),
        ...(remaining === undefined ? {} : { remaining }),
      };
    },
  };
}
