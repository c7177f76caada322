import type { Zone } from 'luxon';
import type { Clocks } from './clocks.ts';

/** Longer than a clock change, shorter than the time between two. */
const dayMs = 24 * 60 * 60 * 1000;

/** Due times of a cron expression. */
export interface CronTimes {
  /** Returns the first due time after `after`, both in epoch ms; undefined when there is none. */
  next(after: number): number | undefined;
}

/** Parses a cron expression of 5 or 6 fields, in a zone from `namedZone`. Throws the library's error for an invalid expression. */
export async function cronTimes(expression: string, zone: Pick<Zone, 'name' | 'type'>): Promise<CronTimes> {
  const { Cron, CronPattern } = await import('croner');
  const clocks = zone.type === 'newer' ? (zone as Zone & Clocks) : undefined;
  const mode = '5-or-6-parts';
  const times = new Cron(expression, { timezone: clocks === undefined ? zone.name : 'UTC', mode });
  const next = (after: number): number | undefined => times.nextRun(new Date(after))?.getTime();
  return clocks === undefined ? { next } : timesOnClocks(next, new CronPattern(expression, undefined, { mode }).isFixedTime, clocks);
}

/**
 * Computes due times on clocks that the library does not know, because it asks Intl. `next` returns times as the clocks show them, taken
 * as UTC. Follows the library's rules: when clocks skip a time, an expression of one time of day is due right after the skip; when clocks
 * show a time twice, such an expression is due at the first, every other at both.
 */
export function timesOnClocks(next: CronTimes['next'], isOneTime: boolean, clocks: Clocks): CronTimes {
  const offsetMs = (at: number): number => clocks.offset(at) * 60_000;
  const isRepeated = (at: number, shown: number): boolean => {
    const before = offsetMs(at - dayMs);
    return before > offsetMs(at) && offsetMs(shown - before) === before;
  };
  return {
    next(after) {
      let offset = offsetMs(after);
      let end = clocks.nextChange(after);
      let shown = next(after + offset);
      while (shown !== undefined) {
        const at = shown - offset;
        if (at < end) {
          if (!isOneTime || !isRepeated(at, shown)) return at;
          shown = next(shown);
          continue;
        }
        const shownThen = end + offsetMs(end);
        if (isOneTime && shown < shownThen) return end;
        offset = offsetMs(end);
        end = clocks.nextChange(end);
        shown = next(shownThen - 1);
      }
      return undefined;
    },
  };
}
