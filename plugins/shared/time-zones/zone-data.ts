/** A period of a zone: minutes west of Greenwich, name of its rules (or `-`, or a saving such as `1:00`), format of the abbreviation, end. */
export type ZonePeriod = readonly [west: string, rules: string, abbreviation: string, until: string | null];

/** A rule: from year, to year (or `only`, `max`), unused, month, day, time of day with its kind, saving in minutes, letter. */
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

/** IANA time zone data in the form of the package `tzdata`. */
export interface ZoneData {
  /** Version such as `2026d`; a later one compares as greater. */
  readonly version: string;
  /** Periods by zone name. A text names the zone of which this name is an alias. */
  readonly zones: Readonly<Record<string, readonly ZonePeriod[] | string>>;
  readonly rules: Readonly<Record<string, readonly ZoneRule[]>>;
}
