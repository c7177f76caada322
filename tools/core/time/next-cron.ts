import type { Zone } from 'luxon';
import { excerpt, messageOf, type ToolkitError } from '../../../kernel/index.ts';
import { type CronTimes, cronTimes } from '../../../plugins/shared/time-zones/cron-times.ts';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { isoOf, type Moment, notes, readMoment } from './moment.ts';
import { zoneOf } from './zone.ts';

interface CronParameters {
  readonly expression: string;
  readonly timezone: string;
  readonly after?: string;
  readonly count: number;
}

interface CronResult {
  readonly times: readonly string[];
  readonly description: string;
  readonly note?: string;
}

/** Returns the next times of a cron expression. Throws INVALID_PARAMETERS, also for an expression that no time matches. */
export async function nextCron({ expression, timezone, after, count }: CronParameters): Promise<CronResult> {
  const { DateTime } = await import('luxon');
  const zone = await zoneOf(timezone);
  const pattern = expression.trim().split(/\s+/).join(' ');
  const cron = await parse(pattern, zone);
  const start: Moment = after === undefined ? { time: DateTime.now().setZone(zone) } : await readMoment(after, 'after', zone);
  const times = firstOf(cron, count, start.time.toMillis())
    .map((at) => DateTime.fromMillis(at, { zone }))
    .filter(({ year }) => year <= 9999)
    .map((time) => isoOf(time, 'expression'));
  if (times.length === 0) throw neverFits(pattern, isoOf(start.time, 'after'));
  return { times, description: await describe(pattern), ...notes(start.note, zoneNote(zone)) };
}

function firstOf(cron: CronTimes, count: number, after: number): readonly number[] {
  const times: number[] = [];
  for (let at = cron.next(after); at !== undefined && times.length < count; at = cron.next(at)) times.push(at);
  return times;
}

async function parse(pattern: string, zone: Zone): Promise<CronTimes> {
  const fields = pattern.split(' ').length;
  // croner also accepts a date as a pattern.
  if (!pattern.startsWith('@') && fields !== 5 && fields !== 6) throw badExpression(pattern, `it has ${fields} fields`);
  try {
    return await cronTimes(pattern, zone);
  } catch (error) {
    throw badExpression(pattern, excerpt(messageOf(error)).replace(/^CronPattern: |\.$/g, ''));
  }
}

function badExpression(pattern: string, problem: string): ToolkitError {
  return invalidParameter(
    'expression',
    `expected a cron expression of 5 or 6 fields, received "${excerpt(pattern)}": ${problem}`,
    'The fields are [second] minute hour day-of-month month day-of-week, as in "30 9 * * MON-FRI".',
  );
}

function neverFits(pattern: string, start: string): ToolkitError {
  const message = `no time after ${start} fits "${excerpt(pattern)}"`;
  return invalidParameter('expression', message, 'Look for a day that the months do not have, such as February 30.');
}

/** Describes the pattern in English. With both a day of the month and one of the week, cronstrue does not say how they combine. */
async function describe(pattern: string): Promise<string> {
  const { default: cronstrue } = await import('cronstrue');
  const isAnd = pattern.includes('+');
  const readable = pattern.replace('+', '').replaceAll('#L', 'L').replaceAll('?', '*');
  const [dayOfWeek = '*', , dayOfMonth = '*'] = readable.split(' ').reverse();
  const unknown = `There are no words for "${excerpt(pattern)}": see the times.`;
  // cronstrue applies the L or # after a range to its last day only.
  if (/-.*[L#]/.test(dayOfWeek)) return unknown;
  try {
    const text = cronstrue.toString(readable, { use24HourTimeFormat: true, logicalAndDayFields: isAnd });
    return `${text}${isAnd || pattern.startsWith('@') ? '' : eitherDay(dayOfMonth, dayOfWeek)}`;
  } catch {
    // Such as 1W,15W.
    return unknown;
  }
}

function eitherDay(...fields: readonly string[]): string {
  if (fields.includes('*')) return '';
  return fields.some((field) => field.startsWith('*'))
    ? ' (either day is enough; some schedulers want both where one begins with *)'
    : ' (either day is enough)';
}
