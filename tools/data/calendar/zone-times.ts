/** A time of day on a day, as a clock shows it. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Times in the zones of the time zone data (IANA). */
export interface ZoneTimes {
  isZone(name: string): boolean;
  /** Milliseconds since 1970, and the offset in seconds. Undefined for a zone that there is not. */
  place(time: LocalTime, zone: string): { readonly atMs: number; readonly offsetSeconds: number } | undefined;
  /** Milliseconds since 1970 of a text in ISO 8601, read in the zone where it has no offset. Undefined for another text. */
  read(text: string, zone: string): number | undefined;
  /** The same time of day so many years later, or earlier. */
  addYears(atMs: number, years: number, zone: string): number;
}

/** Loads the library for zones. */
export async function zoneTimes(): Promise<ZoneTimes> {
  const { DateTime } = await import('luxon');
  return {
    isZone: (name) => DateTime.utc().setZone(name).isValid,
    place(time, zone) {
      const placed = DateTime.fromObject(time, { zone });
      return placed.isValid ? { atMs: placed.toMillis(), offsetSeconds: placed.offset * 60 } : undefined;
    },
    read(text, zone) {
      const time = DateTime.fromISO(text, { zone });
      return time.isValid ? time.toMillis() : undefined;
    },
    addYears: (atMs, years, zone) => DateTime.fromMillis(atMs, { zone }).plus({ years }).toMillis(),
  };
}
