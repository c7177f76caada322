/** `1979-05-27`, `07:32:00.5`, or both with or without an offset; seconds may be left out (TOML 1.1). */
const form = /^(?:(\d{4})-(\d\d)-(\d\d))?[Tt ]?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(?:[Zz]|[+-](\d\d):(\d\d))?$/;

/** Hour and minute of a time without seconds. Those of an offset stand neither behind a `T` nor at the beginning. */
const withoutSeconds = /(^|T)(\d\d:\d\d)(?![\d:])/;

/**
 * Runs a parser that makes its dates with `Temporal`, and gives it the dates as texts in the form of ISO 8601 instead, with all their digits
 * and with seconds, which are 00 where they were left out.
 * The classes that smol-toml has itself turn 30 February into 1 March and cut fractions to milliseconds, and not every Node has Temporal.
 * The work must be synchronous, so that nothing else sees the stand-in.
 */
export function withIsoDates<T>(work: () => T): T {
  const given = Object.getOwnPropertyDescriptor(globalThis, 'Temporal');
  const dates = { from: isoDate };
  const value = { ZonedDateTime: dates, PlainDateTime: dates, PlainDate: dates, PlainTime: dates };
  Object.defineProperty(globalThis, 'Temporal', { value, configurable: true, writable: true });
  try {
    return work();
  } finally {
    if (given === undefined) Reflect.deleteProperty(globalThis, 'Temporal');
    else Object.defineProperty(globalThis, 'Temporal', given);
  }
}

function isoDate(written: string): string {
  // The parser puts the offset behind it once more, in brackets.
  const text = written.replace(/\[.*\]$/, '');
  const [, year, month, day, hour = '0', minute = '0', second = '0', offsetHour = '0', offsetMinute = '0'] = form.exec(text) ?? [
    '',
    '0',
    '0',
  ];
  const isDay = year === undefined || isDayOfCalendar(Number(year), Number(month), Number(day));
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(offsetHour) < 24 && Number(offsetMinute) < 60;
  if (!isDay || !isTime) throw new Error('a date or time that does not exist');
  return text.toUpperCase().replace(' ', 'T').replace(withoutSeconds, '$1$2:00');
}

function isDayOfCalendar(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
