import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

export interface IsoText {
  /** Date and time as written, as if they were UTC. */
  readonly localMs: number;
  /** Undefined when the text has no offset. */
  readonly offsetMinutes: number | undefined;
}

const date = String.raw`\d{4}-\d\d-\d\d|\d{8}|\d{4}-W\d\d-\d|\d{4}W\d{3}|\d{4}-\d{3}|\d{7}`;
const time = String.raw`\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?`;
const offset = String.raw`Z|UTC|GMT|[+-]\d\d(?::?\d\d)?`;
const shape = new RegExp(`^(${date})(?:[T ](${time})(?: ?(${offset}))?)?$`, 'i');

/** Parses a complete ISO 8601 date, with or without time and offset. Undefined for a text of another shape. */
export async function parseIso(text: string, parameter: string): Promise<IsoText | undefined> {
  const [, date = '', time, offset] = shape.exec(text.trim()) ?? [];
  if (date === '') return undefined;
  const { DateTime } = await import('luxon');
  const local = DateTime.fromISO(`${date.toUpperCase()}${time === undefined ? '' : `T${time}`}`, { zone: 'utc' });
  if (!local.isValid)
    throw invalidParameter(parameter, `expected a time that exists, received "${excerpt(text)}"${problemOf(local.invalidExplanation)}`);
  return { localMs: local.toMillis(), offsetMinutes: offset === undefined ? undefined : minutesOf(offset, text, parameter) };
}

/** Shortens luxon's explanation of a part of a date that is out of range. */
export function problemOf(explanation: string | null): string {
  const [, value, unit = ''] = /you specified (\S+) .*as an? (\w+)/.exec(explanation ?? '') ?? [];
  const names: Readonly<Record<string, string>> = { ordinal: 'day of the year', weekday: 'day of the week' };
  return value === undefined ? '' : `, in which there is no ${names[unit] ?? unit} ${value}`;
}

function minutesOf(offset: string, text: string, parameter: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59)
    throw invalidParameter(parameter, `expected an offset up to 23:59, received "${offset}" in "${excerpt(text)}"`);
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
