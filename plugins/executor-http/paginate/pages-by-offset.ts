import type { Paginate } from '../definition/paginate.ts';
import { valueAt } from '../response/answer-path.ts';
import type { Asked, Pages, PagesContext, Turn } from './pages.ts';

type Rule = NonNullable<Paginate['next']['offset']>;

/** Makes the pages of a list that begin after a number of items. */
export function pagesByOffset({ parameter, total_path: totalPath }: Rule, { size: rule }: PagesContext): Pages {
  return {
    leads: [parameter],
    isCounted: true,
    resumes: [parameter],
    ask: (from, wanted): Asked => ({ place: { ...from, ...(rule === undefined ? {} : { size: Math.min(rule.maximum, wanted) }) } }),
    take({ place }, { body, items }, wanted): Turn {
      const kept = wanted === undefined ? items : items.slice(0, wanted);
      const end = Number(place.at[parameter] ?? 0) + kept.length;
      const total = totalPath === undefined ? undefined : valueAt(body, totalPath);
      const remaining = typeof total === 'number' ? Math.max(0, total - end) : undefined;
      const isFull = place.size === undefined || items.length >= Math.min(place.size, rule?.maximum ?? place.size);
      const goesOn = items.length > 0 && (remaining === undefined ? isFull : remaining > 0);
      return {
        items: kept,
        ...(goesOn ? { next: { at: { [parameter]: end }, ...(place.size === undefined ? {} : { size: place.size }) } } : {}),
        ...(remaining === undefined ? {} : { remaining }),
      };
    },
  };
}
