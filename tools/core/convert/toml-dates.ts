/** Matches `1979-05-27`, `07:32:00.5`, or both with or without an offset. Seconds are optional (TOML 1.1). */
const form = /^(?:(\d{4})-(\d\d)-(\d\d))?[Tt ]?(?:(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(?:[Zz]|[+-](\d\d):(\d\d))?$/;

/** Matches the hour and minute of a time without seconds. An offset never follows a `T` or the beginning, so it does not match. */
const withoutSeconds = /(^|T)(\d\d:\d\d)(?![\d:])/;

/**
 * Runs a parser that makes its dates with `Temporal`, and gives it ISO 8601 texts instead, with all digits and with seconds (00 where they
 * are absent). Without this, smol-toml's own classes turn 30 February into 1 March and cut fractions to milliseconds, and not every Node has
 * Temporal. `work` must be synchronous, so that nothing else sees the replaced global.
 */
export function withIsoDates<T>(work: () => T): T {
  const originalTemporal = Object.getOwnPropertyDescriptor(globalThis, 'Temporal');
  const dates = { from: isoDate };
  const value = { ZonedDateTime: dates, PlainDateTime: dates, PlainDate: dates, PlainTime: dates };
  Object.defineProperty(globalThis, 'Temporal', { value, configurable: true, writable: true });
  try {
    return work();
  } finally {
    if (originalTemporal === undefined) Reflect.deleteProperty(globalThis, 'Temporal');
    else Object.defineProperty(globalThis, 'Temporal', originalTemporal);
  }
}

function isoDate(written: string): string {
  // The parser appends the offset once more, in brackets.
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
