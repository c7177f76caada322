import type { Zone } from 'luxon';
import Type, { type Static } from 'typebox';
import { messageOf, sentence, ToolkitError } from '../../kernel/index.ts';
import { type CronTimes, cronTimes } from '../shared/time-zones/cron-times.ts';
import { namedZone, zoneNote } from '../shared/time-zones/named-zone.ts';

export const JobSchema = Type.Object(
  {
    /** Unique id of the job; the ids of its calls begin with it. 1 to 100 characters. */
    id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{Cc}]+$' }),
    /** Cron expression: [second] minute hour day-of-month month day-of-week, such as `0 2 * * *`, or `@daily`. */
    cron: Type.String({ minLength: 1 }),
    /** Name of the tool to call. */
    tool: Type.String({ minLength: 1 }),
    /** Its parameters. @default none */
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** Time zone of the cron expression, such as `Europe/Berlin`. @default 'UTC' */
    timezone: Type.Optional(Type.String({ minLength: 1 })),
    /** The caller of the calls, for policy, credentials and limits. @default 'default' */
    caller: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

/** Fixed, so that a start with UTC jobs only loads no time zones. */
const utc = { name: 'UTC', type: 'fixed' } as const;

/** A job with its parsed schedule. */
export interface PlannedJob {
  readonly id: string;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly caller: string;
  /** Returns the first due time after this one, epoch ms; undefined when there is none. */
  readonly next: (after: number) => number | undefined;
  /** Returns an error about this job. */
  readonly createError: (problem: string, cause: unknown) => ToolkitError;
  /** A sentence that is set when the time zone data of this Node are older than the newest found on this machine. */
  readonly note?: string;
}

/** Plans the jobs, and loads the cron library. Throws CONFIG_INVALID for an invalid schedule or a duplicate id. */
export async function planJobs(jobs: readonly Static<typeof JobSchema>[]): Promise<readonly PlannedJob[]> {
  const ids = new Set<string>();
  const planned: PlannedJob[] = [];
  for (const { id, cron, tool, parameters = {}, timezone = 'UTC', caller = 'default' } of jobs) {
    const createError = (problem: string, cause?: unknown): ToolkitError => jobError(id, problem, cause);
    if (ids.has(id)) throw createError('has the id of another one. Give each an id of its own');
    ids.add(id);
    if (!isTimezone(timezone)) throw createError(`has the timezone "${timezone}": expected a name such as "UTC" or "Europe/Berlin"`);
    const zone = timezone === utc.name ? utc : await namedZone(timezone);
    const { next } = await parseCron(cron, zone, createError);
    if (next(Date.now()) === undefined) throw createError(`is never due: no time fits "${cron}"`);
    const note = zoneNote(zone);
    planned.push({ id, tool, parameters, caller, next, createError, ...(note === undefined ? {} : { note }) });
  }
  return planned;
}

async function parseCron(cron: string, zone: Pick<Zone, 'name' | 'type'>, createError: PlannedJob['createError']): Promise<CronTimes> {
  const fields = cron.trim().split(/\s+/).length;
  const expected = `has "${cron}" as "cron": expected 5 or 6 fields, [second] minute hour day-of-month month day-of-week`;
  // The library also accepts a single date, which is due once.
  if (!cron.startsWith('@') && fields < 5) throw createError(`${expected}, received ${fields}`, undefined);
  try {
    return await cronTimes(cron.trim(), zone);
  } catch (error) {
    throw createError(expected, error);
  }
}

function isTimezone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function jobError(id: string, problem: string, cause: unknown): ToolkitError {
  const why = cause === undefined ? '' : `: ${messageOf(cause).replace(/^CronPattern: /, '')}`;
  return new ToolkitError('CONFIG_INVALID', sentence(`The job "${id}" of schedule() ${problem}${why}`), {}, { cause });
}
