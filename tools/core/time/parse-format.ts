import type { Zone } from 'luxon';
import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { problemOf } from './iso-text.ts';
import { type Moment, momentOf } from './moment.ts';
import { checkTokens } from './tokens.ts';
import { zoneOf } from './zone.ts';

/** Parses a time by luxon tokens, with English names. Throws INVALID_PARAMETERS. */
export async function parseWithFormat(text: string, format: string, zone: Zone): Promise<Moment> {
  const { DateTime, FixedOffsetZone } = await import('luxon');
  checkTokens(format, 'read');
  // luxon alone would resolve a local time that occurs twice by the time of the call.
  const { result, zone: written, invalidReason } = DateTime.fromFormatExplain(text, format, { locale: 'en' });
  const values = (result ?? {}) as Readonly<Record<string, number>>;
  if (invalidReason !== undefined || Object.keys(values).length === 0)
    throw invalidParameter(
      'text',
      `expected a text of the form "${excerpt(format)}", received "${excerpt(text)}"`,
      'Month and day names are read in English.',
    );
  if (values['year'] === undefined && values['weekYear'] === undefined)
    throw invalidParameter('format', `expected a form with a year, received "${excerpt(format)}"`, 'Put the year into text and format.');
  const local = DateTime.fromObject(values, { zone: 'utc' });
  if (!local.isValid) {
    const problem =
      local.invalidReason === 'mismatched weekday' ? ', whose date is on another day of the week' : problemOf(local.invalidExplanation);
    throw invalidParameter('text', `expected a time that exists, received "${excerpt(text)}"${problem}`);
  }
  const offsetMinutes = written instanceof FixedOffsetZone ? written.offset(0) : undefined;
  const named = written !== undefined && written !== null && offsetMinutes === undefined ? await zoneOf(written.name, 'text') : zone;
  return momentOf({ localMs: local.toMillis(), offsetMinutes }, named);
}
