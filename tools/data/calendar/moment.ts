import type ICAL from 'ical.js';
import type { ZoneTimes } from './zone-times.ts';

/** A time of a calendar, as an instant and as it is shown. */
export interface Moment {
  /** Milliseconds since 1970; of a day its beginning in the zone for times without one. */
  readonly atMs: number;
  /** ISO 8601: a day alone, a time with its offset, or one without where the calendar names no zone. */
  readonly text: string;
  /** Name of the zone; undefined for a day and for a time without one. */
  readonly zone?: string;
  /** The calendar names a zone that neither it nor the time zone data define. */
  readonly isUnknownZone?: boolean;
}

/** Zones for times of a calendar. */
export interface CalendarZones {
  readonly times: ZoneTimes;
  /** The zone of days, and of times that name none. */
  readonly floating: string;
}

/** Places a time of a calendar: by its zone, and where it has none that is known by the floating zone. */
export function momentOf(time: ICAL.Time, tzid: string | undefined, { times, floating }: CalendarZones): Moment {
  const { year, month, day, hour, minute, second } = time;
  const atMs = times.place({ year, month, day, hour, minute, second }, floating)?.atMs ?? 0;
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
