import ICAL from 'ical.js';
import { type Occurrence, occurrencesOf, type Span } from './calendar/occurrences.ts';
import { type ZoneTimes, zoneTimes } from './calendar/zone-times.ts';
import { ZonedCalendar } from './calendar/zoned-calendar.ts';
import { decodedText } from './files/decoded-text.ts';
import { openInput } from './files/open-input.ts';
import type { ToolContext } from './shared/context.ts';
import { excerpt, Failure, withFailures } from './shared/failure.ts';
import { pageOf } from './shared/page.ts';

interface CalendarParameters {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
  readonly time_zone: string;
  readonly max_events: number;
  readonly offset: number;
}

interface CalendarEvent {
  readonly summary: string;
  readonly start: string;
  readonly end: string;
  readonly time_zone?: string;
  readonly location?: string;
  readonly description?: string;
  readonly status?: string;
  readonly attendees?: number;
  readonly recurs?: string;
  readonly uid: string;
}

interface CalendarResult {
  readonly events: readonly CalendarEvent[];
  readonly total: number;
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly notes?: readonly string[];
}

/** Maximum size of a calendar, in bytes. */
const maxBytes = 32 * 1024 * 1024;

const maxDescription = 500;

/** Reads the events of an iCalendar file (RFC 5545): each once, or with a span every occurrence of recurring ones. */
export function calendarRead(parameters: CalendarParameters, context: ToolContext): Promise<CalendarResult> {
  const { path, time_zone: floating, max_events: maxEvents, offset } = parameters;
  return withFailures(context, 'Reading the calendar', async () => {
    const times = await zoneTimes();
    const span = spanOf(parameters, times);
    const notes = new Set<string>();
    const all: Occurrence[] = [];
    for (const calendar of await calendarsIn(path, times)) {
      const { occurrences, isWhole } = occurrencesOf(calendar, span, { times, floating });
      all.push(...occurrences);
      if (!isWhole)
        notes.add('The rules of the calendar name more times than are worked out (50,000): some are missing. Ask for a shorter span.');
    }
    all.sort((a, b) => a.start.atMs - b.start.atMs);
    const limit = context.output?.budget === undefined ? 2_000_000 : Math.max(2000, context.output.budget - 2000);
    const { items, end } = await pageOf(all, { offset, maxItems: maxEvents, maxCharacters: limit }, (one) =>
      eventOf(one, span !== undefined),
    );
    for (const { start } of all.slice(offset, offset + items.length))
      if (start.isUnknownZone === true)
        notes.add(`The time zone "${excerpt(start.zone ?? '', 60)}" is not known: its times have no offset.`);
    return {
      events: items,
      total: all.length,
      ...end,
      ...(notes.size === 0 ? {} : { notes: [...notes] }),
    };
  });
}

/** Returns the span; undefined without both ends. With one end, the span is a year. */
function spanOf({ from, to, time_zone: zone }: CalendarParameters, times: ZoneTimes): Span | undefined {
  if (!times.isZone(zone))
    throw new Failure('INVALID_PARAMETERS', `Unknown time_zone "${excerpt(zone, 60)}". Expected a name such as Europe/Zurich or UTC.`);
  const read = (name: string, text: string | undefined): number | undefined => {
    const atMs = text === undefined ? undefined : times.read(text, zone);
    if (text === undefined || atMs !== undefined) return atMs;
    throw new Failure(
      'INVALID_PARAMETERS',
      `Expected "${name}" as ISO 8601, such as 2026-03-01 or 2026-03-01T09:00; received "${excerpt(text, 60)}".`,
    );
  };
  const [begin, end] = [read('from', from), read('to', to)];
  if (begin === undefined && end === undefined) return undefined;
  const fromMs = begin ?? times.addYears(end ?? 0, -1, zone);
  const toMs = end ?? times.addYears(fromMs, 1, zone);
  if (fromMs < toMs) return { fromMs, toMs };
  throw new Failure('INVALID_PARAMETERS', `Expected "from" before "to"; received ${excerpt(from ?? '', 60)} and ${excerpt(to ?? '', 60)}.`);
}

async function calendarsIn(path: string, times: ZoneTimes): Promise<readonly ICAL.Component[]> {
  const file = await openInput(path);
  try {
    if (file.bytes > maxBytes)
      throw new Failure('INVALID_PARAMETERS', `"${excerpt(path)}" has ${file.bytes} bytes; expected at most ${maxBytes} (32 MB).`);
    const text = await decodedText(file, false, 'utf-8');
    // Several calendars in one file are parsed to a list of calendars.
    const parsed = ICAL.parse(text) as unknown[];
    const lists = typeof parsed[0] === 'string' ? [parsed] : (parsed as unknown[][]);
    return lists.map((jcal) => new ZonedCalendar(jcal, times));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'INVALID_PARAMETERS',
      `Cannot read "${excerpt(path)}" as iCalendar: ${excerpt((error as Error).message, 120)}. Expected a .ics file in UTF-8.`,
    );
  } finally {
    await file.handle.close();
  }
}

function eventOf({ event, start, end }: Occurrence, isExpanded: boolean): CalendarEvent {
  const { component, location, description } = event;
  const status = component.getFirstPropertyValue('status');
  const attendees = component.getAllProperties('attendee').length;
  const rule = component.getFirstPropertyValue('rrule');
  return {
    summary: excerpt(event.summary ?? '', maxDescription),
    start: start.text,
    end: end.text,
    ...(start.zone === undefined || start.zone === 'UTC' ? {} : { time_zone: start.zone }),
    ...(location ? { location: excerpt(location, maxDescription) } : {}),
    ...(description ? { description: excerpt(description, maxDescription) } : {}),
    ...(typeof status === 'string' ? { status: status.toLowerCase() } : {}),
    ...(attendees === 0 ? {} : { attendees }),
    ...(rule === null || rule === undefined || isExpanded ? {} : { recurs: String(rule) }),
    uid: excerpt(event.uid ?? '', maxDescription),
  };
}
