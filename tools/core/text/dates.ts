import { type Span, spansOf } from './span.ts';

const months = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
];
const month = `(?<name>${months.join('|')})\\.?`;
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const time = '[T ]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[+-]\\d{2}(?::?\\d{2})?)?';
const begin = '(?<![\\w.+/-])';
const end = '(?![\\w]|[./-]\\d)';

const forms = [
  // ISO 8601, optionally with a time.
  `${begin}(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:${time})?${end}`,
  `${begin}(?<year>\\d{4})/(?<month>\\d{1,2})/(?<day>\\d{1,2})${end}`,
  `${begin}(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})${end}`,
  // Day first or month first.
  `${begin}(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>\\d{4})${end}`,
  `${begin}${day} (?:of )?${month},? (?<year>\\d{4})${end}`,
  `${begin}${month} ${day},? (?<year>\\d{4})${end}`,
  '(?<year>\\d{4})年(?<month>\\d{1,2})月(?<day>\\d{1,2})日',
].map((form) => new RegExp(form, 'gi'));

/** Finds dates that exist in the calendar, in digits or with English month names. */
export function datesIn(text: string): readonly Span[] {
  return forms.flatMap((form) => spansOf(text, form, ({ groups = {} }) => isDate(groups)));
}

function isDate(parts: Readonly<Record<string, string>>): boolean {
  const { year, month: number, name, day: ofMonth, first, second } = parts;
  if (first !== undefined) return isDay(year, first, second) || isDay(year, second, first);
  return isDay(year, name === undefined ? number : monthNumber(name), ofMonth);
}

function monthNumber(name: string): number {
  return months.findIndex((pattern) => new RegExp(`^${pattern}$`, 'i').test(name)) + 1;
}

function isDay(year: string | undefined, month: string | number | undefined, day: string | undefined): boolean {
  const date = new Date(0);
  // The constructor of Date would read year 99 as 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
