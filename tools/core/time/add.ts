import type { DateTime, DurationLikeObject } from 'luxon';
import type { ToolkitError } from '../../../kernel/index.ts';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { localMsOf } from './local-time.ts';
import { isoOf, localMoment, notes, readMoment, roundedNote } from './moment.ts';
import { zoneOf } from './zone.ts';

const calendarUnits = ['years', 'months', 'weeks', 'days'] as const;
const clockUnits = ['hours', 'minutes', 'seconds'] as const;

type Amounts = { readonly [unit in (typeof calendarUnits)[number] | (typeof clockUnits)[number]]?: number };

interface AddParameters extends Amounts {
  readonly time: string;
  readonly timezone?: string;
}

interface AddResult {
  readonly iso: string;
  readonly note?: string;
}

/**
 * Returns a later or earlier time. Years, months, weeks and days move the calendar and keep the time of day; then hours, minutes and seconds are
 * added as elapsed time. Throws INVALID_PARAMETERS.
 */
export async function add({ time: text, timezone, ...amounts }: AddParameters): Promise<AddResult> {
  if (Object.keys(amounts).length === 0) throw invalidParameter('days', 'expected at least one amount, such as "days", received none');
  const start = await readMoment(text, 'time', timezone === undefined ? undefined : await zoneOf(timezone));
  const day = await addCalendar(start.time, pick(amounts, calendarUnits));
  const end = day.time.plus(pick(amounts, clockUnits));
  return { iso: isoOf(end, 'time'), ...notes(start.note, day.clamped, day.note, roundedNote(end), zoneNote(end.zone)) };
}

interface Day {
  readonly time: DateTime;
  readonly note?: string;
  readonly clamped?: string;
}

async function addCalendar(start: DateTime, amounts: DurationLikeObject): Promise<Day> {
  const { DateTime } = await import('luxon');
  const before = localMsOf(start);
  const local = DateTime.fromMillis(before, { zone: 'utc' });
  const after = local.plus(amounts);
  if (!after.isValid || after.year < 1 || after.year > 9999) throw outOfRange();
  // Adding nothing keeps the second of two equal local times.
  if (after.toMillis() === before) return { time: start };
  const { years = 0, months = 0 } = amounts;
  const month = local.plus({ years, months });
  const clamped =
    month.day === local.day
      ? undefined
      : `${month.toFormat('MMMM yyyy', { locale: 'en' })} has no day ${local.day}: day ${month.day} is taken.`;
  return { ...(await localMoment(after.toMillis(), start.zone)), ...(clamped === undefined ? {} : { clamped }) };
}

function pick(amounts: Amounts, units: readonly (keyof Amounts)[]): DurationLikeObject {
  return Object.fromEntries(units.flatMap((unit) => (amounts[unit] === undefined ? [] : [[unit, amounts[unit]]])));
}

function outOfRange(): ToolkitError {
  return invalidParameter('time', 'expected a sum in the years 1 to 9999');
}
