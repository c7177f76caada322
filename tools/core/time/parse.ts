import type { DateTime, Zone } from 'luxon';
import { excerpt, type ToolkitError } from '../../../kernel/index.ts';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { parseIso, problemOf } from './iso-text.ts';
import { isoOf, momentOf, notes, roundedNote } from './moment.ts';
import { parseWithFormat } from './parse-format.ts';
import { numberMoment, readNumber } from './parse-number.ts';
import type { ParsedTime, ReadAs } from './parsed-time.ts';
import { zoneOf } from './zone.ts';

interface ParseParameters {
  readonly text: string;
  readonly format?: string;
  readonly timezone: string;
}

interface ParseResult {
  readonly iso: string;
  readonly unix_seconds: number;
  readonly read_as: ReadAs;
  readonly note?: string;
}

/** Parses a time in one of the common forms, or in the given one. Throws INVALID_PARAMETERS. */
export async function parseTime({ text: given, format, timezone }: ParseParameters): Promise<ParseResult> {
  const zone = await zoneOf(timezone);
  const text = given.trim();
  const { time: moment, note, readAs } = await (format === undefined ? parseCommon(text, zone) : parseGiven(text, format, zone));
  const time = moment.setZone(zone);
  return {
    iso: isoOf(time, 'text'),
    unix_seconds: Math.floor(time.toSeconds()),
    read_as: readAs,
    ...notes(note, roundedNote(time), zoneNote(zone)),
  };
}

async function parseGiven(text: string, format: string, zone: Zone): Promise<ParsedTime> {
  if (format !== 'X' && format !== 'x') return { ...(await parseWithFormat(text, format, zone)), readAs: 'format' };
  return numberMoment(text, format === 'X' ? 'unix_seconds' : 'unix_milliseconds');
}

async function parseCommon(text: string, zone: Zone): Promise<ParsedTime> {
  const iso = await parseIso(text, 'text');
  if (iso !== undefined) {
    const moment = await momentOf(iso, zone);
    return { ...moment, readAs: /^\S+ /.test(text) ? 'sql' : 'iso_8601', ...notes(moment.note, digitsNote(text)) };
  }
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return readNumber(text);
  const { DateTime } = await import('luxon');
  const mail = DateTime.fromRFC2822(text, { setZone: true });
  if (mail.isValid) return { time: mail, readAs: 'rfc_2822' };
  const http = DateTime.fromHTTP(text, { setZone: true });
  if (http.isValid) return { time: http, readAs: 'http' };
  throw unreadable(text, [mail, http]);
}

function digitsNote(text: string): string | undefined {
  return /^\d{7,8}$/.test(text)
    ? `Read as the date ${text.length === 8 ? 'YYYYMMDD' : 'YYYYDDD'}; for unix seconds give the format X.`
    : undefined;
}

function unreadable(text: string, tried: readonly DateTime[]): ToolkitError {
  const [found] = tried.filter(({ invalidReason }) => invalidReason !== 'unparsable');
  if (found === undefined) return unknownForm(text);
  const problem =
    found.invalidReason === 'mismatched weekday' ? ', whose date is on another day of the week' : problemOf(found.invalidExplanation);
  return invalidParameter('text', `expected a time that exists, received "${excerpt(text)}"${problem}`);
}

function unknownForm(text: string): ToolkitError {
  return invalidParameter(
    'text',
    `expected ISO 8601 (2024-02-29T10:00:00+01:00), SQL (2024-02-29 10:00:00), RFC 2822 (Thu, 29 Feb 2024 10:00:00 +0100), an HTTP date or unix seconds or milliseconds, received "${excerpt(text)}"`,
    'For any other form give format, as in dd.MM.yyyy or MM/dd/yyyy h:mm a; words such as "tomorrow" are not read.',
  );
}
