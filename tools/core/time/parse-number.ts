import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';
import type { ParsedTime } from './parsed-time.ts';

/**
 * Reads digits without a format: 9 and 10 are seconds (1973 to 2286), 13 are milliseconds (2001 to 2286). Throws INVALID_PARAMETERS for all
 * others, which could be a year, a date without separators or finer parts of a second.
 */
export async function readNumber(text: string): Promise<ParsedTime> {
  const digits = /\d+/.exec(text)?.[0].length ?? 0;
  const readAs = digits === 9 || digits === 10 ? 'unix_seconds' : digits === 13 ? 'unix_milliseconds' : undefined;
  if (readAs === undefined) {
    const message = `expected 9 or 10 digits (unix seconds) or 13 (unix milliseconds), received "${excerpt(text)}" with ${digits}`;
    throw invalidParameter('text', message, 'Give format: X for seconds, x for milliseconds, or such as yyyyMMddHHmmss.');
  }
  const [unit, format] = readAs === 'unix_seconds' ? ['seconds', 'x (milliseconds)'] : ['milliseconds', 'X (seconds)'];
  return {
    ...(await numberMoment(text, readAs)),
    note: `Read as unix ${unit}, because it has ${digits} digits; otherwise give the format ${format}.`,
  };
}

/** Returns the moment of a Unix time. Throws INVALID_PARAMETERS for a text that is no number. */
export async function numberMoment(text: string, readAs: 'unix_seconds' | 'unix_milliseconds'): Promise<ParsedTime> {
  const { DateTime } = await import('luxon');
  const epochMs = /^[+-]?\d{1,17}(\.\d+)?$/.test(text) ? Math.floor(Number(text) * (readAs === 'unix_seconds' ? 1000 : 1)) : Number.NaN;
  // Limit of a Date (ECMA-262, 21.4.1.1).
  if (Math.abs(epochMs) <= 8.64e15) return { time: DateTime.fromMillis(epochMs, { zone: 'utc' }), readAs };
  throw invalidParameter(
    'text',
    `expected ${readAs === 'unix_seconds' ? 'seconds' : 'milliseconds'} since 1970 as a number, received "${excerpt(text)}"`,
  );
}
