import type { Zone } from 'luxon';
import type { Clocks } from './clocks.ts';

/** Longer than a change of clocks, shorter than the time between two. */
const dayMs = 24 * 60 * 60 * 1000;

/** The times at which a cron expression is due. */
export interface CronTimes {
  /** The first one after this moment, both in epoch ms; undefined where there is none any more. */
  next(after: number): number | undefined;
}

/**
 * The times of a cron expression of 5 or 6 fields by the clocks of a zone (`namedZone`). Throws what the library throws for an expression that
 * it cannot read.
 */
export async function cronTimes(expression: string, zone: Pick<Zone, 'name' | 'type'>): Promise<CronTimes> {
  const { Cron, CronPattern } = await import('croner');
  const clocks = zone.type === 'newer' ? (zone as Zone as Zone & Clocks) : undefined;
  const mode = '5-or-6-parts';
  const times = new Cron(expression, { timezone: clocks === undefined ? zone.name : 'UTC', mode });
  const next = (after: number): number | undefined => times.nextRun(new Date(after))?.getTime();
  return clocks === undefined ? { next } : timesOnClocks(next, new CronPattern(expression, undefined, { mode }).isFixedTime, clocks);
}

/**
 * Times of an expression by clocks that the library, which asks Intl, does not know. `next` gives its times as clocks show them, as if that were
 * UTC. As the library does: where clocks skip a time, an expression of one time of day is due when they have; where they show a time
 * twice, the first counts for it, and both for every other expression.
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
