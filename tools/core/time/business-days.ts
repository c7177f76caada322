import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

interface BusinessDaysParameters {
  readonly start: string;
  readonly end?: string;
  readonly add_days?: number;
  /** ISO weekdays: 1 is Monday, 7 is Sunday. */
  readonly weekend: readonly number[];
  readonly holidays: readonly string[];
}

interface BusinessDaysResult {
  readonly days: number;
  readonly end: string;
  readonly inclusive_days: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Days since 1970-01-01. */
type DayNumber = number;

const firstDay: DayNumber = -719162;
const lastDay: DayNumber = 2932896;

interface Calendar {
  isWorking(day: DayNumber): boolean;
  /** Counts working days from one day to another, both included. 0 when the second is earlier. */
  count(from: DayNumber, to: DayNumber): number;
}

/** Counts working days between two dates, or adds some to a date. Throws INVALID_PARAMETERS for an invalid date, and beyond the years 1 to 9999. */
export function businessDays({ start, end, add_days, weekend, holidays }: BusinessDaysParameters): BusinessDaysResult {
  if ((end === undefined) === (add_days === undefined))
    throw invalidParameter('end', `expected exactly one of "end" and "add_days", received ${end === undefined ? 'neither' : 'both'}`);
  const calendar = calendarOf(new Set(weekend), new Set(holidays.map((holiday, index) => dayOf(holiday, `holidays[${index}]`))));
  const first = dayOf(start, 'start');
  const last = end === undefined ? move(first, add_days ?? 0, calendar) : dayOf(end, 'end');
  // The start does not count and the end does, so that adding the result to start leads to end.
  const days = last >= first ? calendar.count(first + 1, last) : -calendar.count(last, first - 1);
  return { days: days + 0, end: isoDate(last), inclusive_days: calendar.count(Math.min(first, last), Math.max(first, last)) };
}

function calendarOf(weekend: ReadonlySet<number>, holidays: ReadonlySet<DayNumber>): Calendar {
  const onWeekdays = [...holidays].filter((day) => !weekend.has(weekdayOf(day)));
  const isWorking = (day: DayNumber): boolean => !weekend.has(weekdayOf(day)) && !holidays.has(day);
  const count = (from: DayNumber, to: DayNumber): number => {
    const total = Math.max(0, to - from + 1);
    const rest = Array.from({ length: total % 7 }, (_, index) => weekdayOf(to - index)).filter((weekday) => !weekend.has(weekday));
    const off = onWeekdays.filter((day) => day >= from && day <= to);
    return Math.floor(total / 7) * (7 - weekend.size) + rest.length - off.length;
  };
  return { isWorking, count };
}

function move(from: DayNumber, amount: number, { isWorking }: Calendar): DayNumber {
  const step = Math.sign(amount);
  let day = from;
  for (let left = Math.abs(amount); left > 0; ) {
    day += step;
    if (day < firstDay || day > lastDay)
      throw invalidParameter('add_days', 'expected a result in the years 1 to 9999', 'Take a smaller number.');
    if (isWorking(day)) left -= 1;
  }
  return day;
}

/** 1970-01-01 was a Thursday. */
function weekdayOf(day: DayNumber): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function dayOf(text: string, parameter: string): DayNumber {
  const date = text.trim();
  const ms = /^\d{4}-\d\d-\d\d$/.test(date) && !date.startsWith('0000') ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse takes February 30 for a day in March.
  if (!Number.isNaN(ms) && isoDate(ms / dayMs) === date) return ms / dayMs;
  throw invalidParameter(parameter, `expected a date that exists as YYYY-MM-DD, received "${excerpt(text)}"`, 'Leave out the time of day.');
}

function isoDate(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
