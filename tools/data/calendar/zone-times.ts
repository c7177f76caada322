/** Local date and time of day. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Conversion of times in the zones of the time zone data (IANA). */
export interface ZoneTimes {
  isZone(name: string): boolean;
  /** Returns epoch milliseconds and the offset in seconds; undefined for an unknown zone. */
  toInstant(time: LocalTime, zone: string): { readonly atMs: number; readonly offsetSeconds: number } | undefined;
  /** Parses a text in ISO 8601 to epoch milliseconds, in the zone when it has no offset; undefined for any other text. */
  read(text: string, zone: string): number | undefined;
  /** Adds years, or subtracts them, and keeps the local time of day. */
  addYears(atMs: number, years: number, zone: string): number;
}

/** Loads the library for zones. */
export async function zoneTimes(): Promise<ZoneTimes> {
  const { DateTime } = await import('luxon');
  return {
    isZone: (name) => DateTime.utc().setZone(name).isValid,
    toInstant(time, zone) {
      const toDateTime = DateTime.fromObject(time, { zone });
      return toDateTime.isValid ? { atMs: toDateTime.toMillis(), offsetSeconds: toDateTime.offset * 60 } : undefined;
    },
    read(text, zone) {
      const time = DateTime.fromISO(text, { zone });
      return time.isValid ? time.toMillis() : undefined;
    },
    addYears: (atMs, years, zone) => DateTime.fromMillis(atMs, { zone }).plus({ years }).toMillis(),
  };
}
