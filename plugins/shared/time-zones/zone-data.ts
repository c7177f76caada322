/** A period of a zone: minutes west of Greenwich, name of its rules (or `-`, or its saving as `1:00`), form of its abbreviation, end. */
export type ZonePeriod = readonly [west: string, rules: string, abbreviation: string, until: string | null];

/** From year, to year (also `only`, `max`), unused, month, day, time of day with its kind, saving in minutes, letter. */
export type ZoneRule = readonly [
  from: string,
  to: string,
  type: string,
  month: string,
  day: string,
  time: readonly [hour: string, minute: string, second: string, kind: string | null],
  saving: string,
  letter?: string,
  ...rest: readonly string[],
];

/** The IANA time zone data, as the package `tzdata` has them. */
export interface ZoneData {
  /** Such as `2026d`; later ones compare as greater. */
  readonly version: string;
  /** The name of the zone that this one is another name of. */
  readonly zones: Readonly<Record<string, readonly ZonePeriod[] | string>>;
  readonly rules: Readonly<Record<string, readonly ZoneRule[]>>;
}
