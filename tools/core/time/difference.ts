import type { DateTime, Duration } from 'luxon';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { notes, readMoment } from './moment.ts';
import { zoneOf } from './zone.ts';

type Unit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds';

interface DifferenceParameters {
  readonly start: string;
  readonly end: string;
  readonly units: readonly Unit[];
  readonly timezone?: string;
}

type DifferenceResult = { readonly [unit in Unit]?: number } & {
  readonly total_seconds: number;
  readonly human: string;
  readonly note?: string;
};

/** Returns the difference from start to end in calendar units. Negative when end is earlier. Throws INVALID_PARAMETERS. */
export async function difference({ start, end, units, timezone }: DifferenceParameters): Promise<DifferenceResult> {
  const zone = timezone === undefined ? undefined : await zoneOf(timezone);
  const from = await readMoment(start, 'start', zone);
  const to = await readMoment(end, 'end', zone);
  const duration = to.time.setZone(from.time.zone).diff(from.time, [...units]);
  const amounts = Object.fromEntries(Object.entries(duration.toObject()).map(([unit, amount]) => [unit, rounded(amount)]));
  const isNegative = to.time < from.time;
  return {
    ...amounts,
    total_seconds: (to.time.toMillis() - from.time.toMillis()) / 1000,
    human: `${inWords(isNegative ? duration.negate() : duration)}${isNegative ? ' earlier' : ''}`,
    ...notes(
      from.note,
      to.note,
      zone === undefined && units.some(isCalendar) ? offsetNote(from.time, to.time) : undefined,
      zoneNote(from.time.zone),
    ),
  };
}

/** Removes the noise of binary fractions, and the sign of a negative zero. */
function rounded(amount: number): number {
  return Math.round(amount * 1e9) / 1e9 + 0;
}

function inWords(duration: Duration): string {
  const shown = duration.reconfigure({ locale: 'en' }).removeZeros();
  return shown.toHuman({ listStyle: 'long', maximumFractionDigits: 2 }) || '0 seconds';
}

function isCalendar(unit: Unit): boolean {
  return unit === 'years' || unit === 'months' || unit === 'weeks' || unit === 'days';
}

function offsetNote(start: DateTime, end: DateTime): string | undefined {
  if (start.offset === end.offset) return undefined;
  return `Days are those of the offset of start (${start.toFormat('ZZ')}). To count by the clocks of a place, give timezone.`;
}
