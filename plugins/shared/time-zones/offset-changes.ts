import type { ZoneData, ZonePeriod, ZoneRule } from './zone-data.ts';

/** From `at` on, in epoch ms, clocks are ahead of UTC by so many minutes. */
export interface OffsetChange {
  readonly at: number;
  readonly offsetMinutes: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/**
 * The offset of a zone at `from`, and each change of it until `to`, both in epoch ms, by its periods and rules (zic). Undefined for a zone of
 * which the data know nothing. Exact where the ends of periods have no time of another kind than wall clock, which the data do not keep.
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
    // A day around is more than any offset.
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

/** The end of a period, which is meant by the clock before it: a change at that very moment is no more of it. */
function endOf([first, ...changes]: readonly Saving[], endWith: (saving: number) => number): number {
  let end = endWith(first?.saving ?? 0);
  for (const { at, saving } of changes) {
    if (at >= end) break;
    end = endWith(saving);
  }
  return end;
}

/** The wall clock at the end of a period, as if it were UTC. The data have the last day of a year where only the year is given, which means its first. */
function untilOf([, , , until]: ZonePeriod): number {
  if (until === null) return Number.POSITIVE_INFINITY;
  const date = new Date(Number(until));
  const isYear = date.getUTCMonth() === 11 && date.getUTCDate() === 31 && Number(until) % dayMs === 0;
  return isYear ? Date.UTC(date.getUTCFullYear(), 0, 1) : Number(until);
}

interface Saving {
  readonly at: number;
  /** In minutes. */
  readonly saving: number;
}

interface Span {
  readonly start: number;
  readonly from: number;
  readonly to: number;
}

/** The saving from the start of a period on (or from `from`), and its changes. */
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

/** The years in which a rule counts, and of those before the first one the last. */
function yearsOf([given, end]: ZoneRule, firstYear: number, lastYear: number): readonly number[] {
  const first = Number(given);
  const last = end === 'only' ? first : end === 'max' ? lastYear : Math.min(Number(end), lastYear);
  const begin = Math.min(Math.max(first, firstYear), last);
  return last < first ? [] : Array.from({ length: last - begin + 1 }, (_, index) => begin + index);
}

/** When a rule counts in a year, by the clock that it names, as if it were UTC. */
function timeOf([, , , month, day, [hour, minute, second]]: ZoneRule, year: number): number {
  const index = months.indexOf(month);
  const time = (Number(hour) * 60 + Number(minute)) * minuteMs + Number(second) * 1000;
  return Date.UTC(year, index, dayOf(day, year, index)) + time;
}

/** `8`, `lastSun`, `Sun>=8` or `Fri<=1`; the day may be one of the month before or after. */
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
