import type { ZoneData, ZonePeriod, ZoneRule } from './zone-data.ts';

/** An offset from UTC in minutes that holds from `at` (epoch ms) on. */
export interface OffsetChange {
  readonly at: number;
  readonly offsetMinutes: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * Computes the offset of a zone at `from` and each change until `to`, both in epoch ms, from its periods and rules (zic). Undefined for a
 * zone without data. Exact where periods end at wall clock time; the data do not keep other kinds.
 */
export function offsetChanges({ zones, rules }: ZoneData, name: string, from: number, to: number): readonly OffsetChange[] | undefined {
  const known = zones[name];
  const periods = typeof known === 'string' ? zones[known] : known;
  if (periods === undefined || typeof periods === 'string') return undefined;
  const changes: OffsetChange[] = [];
  let start = Number.NEGATIVE_INFINITY;
  for (const period of periods) {
    const standard = -Number(period[0]);
    const until = untilOf(period);
    // One day of margin exceeds any offset.
    if (until + dayMs > from) {
      const found = changesIn(period, rules[period[1]], { start, from: Math.max(start, from), to: Math.min(until + dayMs, to) });
      const end = endOf(found, (saving) => until - (standard + saving) * minuteMs);
      changes.push(...found.filter(({ at }) => at < end).map(({ at, saving }) => ({ at, offsetMinutes: standard + saving })));
      start = end;
    } else start = until;
    if (start >= to) break;
  }
  const first = changes.findLast(({ at }) => at <= from);
  const later = changes.filter(({ at }) => at > from && at < to);
  const all = first === undefined ? later : [{ ...first, at: from }, ...later];
  return all.filter((change, index) => change.offsetMinutes !== all[index - 1]?.offsetMinutes);
}

/** Returns the end of a period, in epoch ms. It is given by the clock before it, so a change at that very time is outside the period. */
function endOf([first, ...changes]: readonly Saving[], endWith: (saving: number) => number): number {
  let end = endWith(first?.saving ?? 0);
  for (const { at, saving } of changes) {
    if (at >= end) break;
    end = endWith(saving);
  }
  return end;
}

/** Returns the wall clock time at the end of a period, taken as UTC. A year alone means its first day, but the data have its last day. */
function untilOf([, , , until]: ZonePeriod): number {
  if (until === null) return Number.POSITIVE_INFINITY;
  const date = new Date(Number(until));
  const isYear = date.getUTCMonth() === 11 && date.getUTCDate() === 31 && Number(until) % dayMs === 0;
  return isYear ? Date.UTC(date.getUTCFullYear(), 0, 1) : Number(until);
}

interface Saving {
  readonly at: number;
  /** Daylight saving in minutes. */
  readonly saving: number;
}

interface Span {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the saving at the start of a period (or at `from`), and its changes. */
function changesIn([west, named]: ZonePeriod, rules: readonly ZoneRule[] | undefined, { start, from, to }: Span): readonly Saving[] {
  if (rules === undefined) return [{ at: from, saving: named === '-' ? 0 : minutesOf(named) }];
  const standard = -Number(west);
  const firstYear = new Date(Math.max(from, 0)).getUTCFullYear() - 1;
  const lastYear = Number.isFinite(to) ? new Date(to).getUTCFullYear() + 1 : firstYear;
  const written = rules.flatMap((rule) => yearsOf(rule, firstYear, lastYear).map((year) => ({ local: timeOf(rule, year), rule })));
  let saving = 0;
  let before = 0;
  const changes: Saving[] = [];
  for (const { local, rule } of written.sort((a, b) => a.local - b.local)) {
    const [, , , , , [, , , kind], next] = rule;
    const ahead = kind === 'u' || kind === 'g' || kind === 'z' ? 0 : kind === 's' ? standard : standard + saving;
    const at = local - ahead * minuteMs;
    saving = Number(next);
    if (at <= Math.max(start, from)) before = saving;
    else changes.push({ at, saving });
  }
  return [{ at: from, saving: before }, ...changes];
}

/** Returns the years in which a rule applies; of those before `firstYear`, only the last. */
function yearsOf([given, end]: ZoneRule, firstYear: number, lastYear: number): readonly number[] {
  const first = Number(given);
  const last = end === 'only' ? first : end === 'max' ? lastYear : Math.min(Number(end), lastYear);
  const begin = Math.min(Math.max(first, firstYear), last);
  return last < first ? [] : Array.from({ length: last - begin + 1 }, (_, index) => begin + index);
}

/** Returns the time at which a rule applies in a year, on the clock that it names, taken as UTC. */
function timeOf([, , , month, day, [hour, minute, second]]: ZoneRule, year: number): number {
  const index = months.indexOf(month);
  const time = (Number(hour) * 60 + Number(minute)) * minuteMs + Number(second) * 1000;
  return Date.UTC(year, index, dayOf(day, year, index)) + time;
}

/** Returns the day of month of `8`, `lastSun`, `Sun>=8` or `Fri<=1`. It may lie in the month before or after. */
function dayOf(text: string, year: number, month: number): number {
  const last = /^last(\w{3})$/.exec(text)?.[1];
  const [, weekday, sign, day] = /^(\w{3})([<>])=(\d+)$/.exec(text) ?? [];
  if (last === undefined && weekday === undefined) return Number(text);
  const base = last === undefined ? Number(day) : new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const wanted = weekdays.indexOf(last ?? weekday ?? '');
  const there = new Date(Date.UTC(year, month, base)).getUTCDay();
  return sign === '>' ? base + ((wanted - there + 7) % 7) : base - ((there - wanted + 7) % 7);
}

function minutesOf(text: string): number {
  const [, sign, hours, minutes] = /^(-?)(\d+):(\d+)/.exec(text) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
}
