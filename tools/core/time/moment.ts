import type { DateTime, Zone } from 'luxon';
import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { type IsoText, parseIso } from './iso-text.ts';
import { noteOf, resolveLocal } from './local-time.ts';

export interface Moment {
  readonly time: DateTime;
  /** Explains the rule that was applied to an ambiguous text. Absent for any other. */
  readonly note?: string;
}

/**
 * Reads a moment from ISO 8601. A text without an offset is local time of `zone`, or UTC if no zone is given. The result is in `zone`, or in the
 * offset of the text if no zone is given. Throws INVALID_PARAMETERS.
 */
export async function readMoment(text: string, parameter: string, zone?: Zone): Promise<Moment> {
  return momentOf(await readIso(text, parameter), zone);
}

/** Reads ISO 8601. Throws INVALID_PARAMETERS for any other text. */
export async function readIso(text: string, parameter: string): Promise<IsoText> {
  const read = await parseIso(text, parameter);
  if (read !== undefined) return read;
  const message = `expected ISO 8601 such as 2024-02-29T10:00:00+01:00, received "${excerpt(text)}"`;
  throw invalidParameter(parameter, message, 'Give the whole date. time_parse reads other forms.');
}

export async function momentOf({ localMs, offsetMinutes }: IsoText, zone?: Zone): Promise<Moment> {
  const { DateTime, FixedOffsetZone } = await import('luxon');
  if (offsetMinutes === undefined && zone !== undefined) return localMoment(localMs, zone);
  const minutes = offsetMinutes ?? 0;
  return { time: DateTime.fromMillis(localMs - minutes * 60_000, { zone: zone ?? FixedOffsetZone.instance(minutes) }) };
}

/** Returns the moment of a local time, which is given as if it were UTC. */
export async function localMoment(localMs: number, zone: Zone): Promise<Moment> {
  const { DateTime } = await import('luxon');
  const resolved = resolveLocal(localMs, zone);
  const time = DateTime.fromMillis(resolved.epochMs, { zone });
  const note = noteOf(localMs, resolved, time);
  return { time, ...(note === undefined ? {} : { note }) };
}

/** Formats a time in ISO 8601 with milliseconds and offset. Throws INVALID_PARAMETERS for years that need more than four digits, and before year 1. */
export function isoOf(time: DateTime, parameter: string): string {
  const iso = time.year >= 1 && time.year <= 9999 ? time.toISO() : null;
  if (iso !== null) return iso;
  throw invalidParameter(parameter, 'expected a time in the years 1 to 9999', 'The result would be outside of them.');
}

/** Explains a rounded offset. Before time zones, offsets had seconds, which ISO 8601 cannot show. */
export function roundedNote(time: DateTime): string | undefined {
  const seconds = Math.round((Math.abs(time.offset) * 60) % 60);
  return seconds === 0
    ? undefined
    : `The offset was ${time.toFormat('ZZ')}:${String(seconds).padStart(2, '0')}; iso shows it without its seconds.`;
}

/** Joins the given notes to one text, in an object to spread. Empty without notes. */
export function notes(...given: readonly (string | undefined)[]): { readonly note?: string } {
  const present = given.filter((note) => note !== undefined);
  return present.length === 0 ? {} : { note: [...new Set(present)].join(' ') };
}
