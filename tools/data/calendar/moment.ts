import type ICAL from 'ical.js';
import type { ZoneTimes } from './zone-times.ts';

/** Time of a calendar, as an instant and as text. */
export interface Moment {
  /** Epoch milliseconds; for a day its beginning in the floating zone. */
  readonly atMs: number;
  /** ISO 8601: a day, a time with its offset, or a time without one when the calendar names no zone. */
  readonly text: string;
  /** Name of the zone; undefined for a day and for a time without one. */
  readonly zone?: string;
  /** True when the calendar names a zone that neither it nor the time zone data define. */
  readonly isUnknownZone?: boolean;
}

/** Zones for the times of a calendar. */
export interface CalendarZones {
  readonly times: ZoneTimes;
  /** Zone of days, and of times without a zone. */
  readonly floating: string;
}

/** Converts a time of a calendar to an instant: by its zone, or by the floating zone when it has none or an unknown one. */
export function momentOf(time: ICAL.Time, tzid: string | undefined, { times, floating }: CalendarZones): Moment {
  const { year, month, day, hour, minute, second } = time;
  const atMs = times.toInstant({ year, month, day, hour, minute, second }, floating)?.atMs ?? 0;
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  if (time.isDate) return { atMs, text: date };
  const local = `${date}T${pad(hour)}:${pad(minute)}:${pad(second)}`;
  const own = time.zone?.tzid;
  if (own === 'UTC') return { atMs: time.toUnixTime() * 1000, text: `${local}Z`, zone: 'UTC' };
  if (own !== undefined && own !== 'floating')
    return { atMs: time.toUnixTime() * 1000, text: `${local}${offset(time.utcOffset())}`, zone: own };
  return tzid === undefined ? { atMs, text: local } : { atMs, text: local, zone: tzid, isUnknownZone: true };
}

function offset(seconds: number): string {
  const minutes = Math.abs(Math.trunc(seconds / 60));
  return `${seconds < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(number: number, width = 2): string {
  return String(number).padStart(width, '0');
}
