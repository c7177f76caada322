import ICAL from 'ical.js';
import type { ZoneTimes } from './zone-times.ts';

/**
 * Calendar that takes undefined zones from the time zone data. Without it, the library treats their times as floating, and
 * compares them wrongly with UTC times of UNTIL, EXDATE and RECURRENCE-ID.
 */
export class ZonedCalendar extends ICAL.Component {
  readonly #times: ZoneTimes;
  readonly #zones = new Map<string, ICAL.Timezone>();

  constructor(jcal: readonly unknown[], times: ZoneTimes) {
    super(jcal as never);
    this.#times = times;
  }

  override getTimeZoneByID(tzid: string): ICAL.Timezone {
    // Null when the calendar does not define the zone, despite the declared type.
    const own = super.getTimeZoneByID(tzid) as ICAL.Timezone | null;
    if (own !== null || !this.#times.isZone(tzid)) return own as ICAL.Timezone;
    const zone = this.#zones.get(tzid) ?? new NamedZone(tzid, this.#times);
    this.#zones.set(tzid, zone);
    return zone;
  }
}

class NamedZone extends ICAL.Timezone {
  readonly #times: ZoneTimes;

  constructor(tzid: string, times: ZoneTimes) {
    super({ tzid });
    this.#times = times;
  }

  override utcOffset({ year, month, day, hour, minute, second }: ICAL.Time): number {
    return this.#times.toInstant({ year, month, day, hour, minute, second }, this.tzid)?.offsetSeconds ?? 0;
  }
}
