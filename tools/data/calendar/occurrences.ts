import ICAL from 'ical.js';
import { type CalendarZones, type Moment, momentOf } from './moment.ts';

/** One event, or one occurrence of a recurring event. */
export interface Occurrence {
  readonly start: Moment;
  readonly end: Moment;
  readonly event: ICAL.Event;
}

export interface Span {
  readonly fromMs: number;
  /** Exclusive end, in epoch milliseconds. */
  readonly toMs: number;
}

/** Maximum number of computed occurrences of all events together: a rule may recur each second, for ever. */
const maxSteps = 50_000;

/**
 * Lists the events of a calendar in order of time: each event once without a span, else every occurrence that overlaps the
 * span, with changed occurrences (RECURRENCE-ID) and without excluded ones (EXDATE). `isWhole` is false when there are too
 * many.
 */
export function occurrencesOf(
  calendar: ICAL.Component,
  span: Span | undefined,
  zones: CalendarZones,
): { occurrences: Occurrence[]; isWhole: boolean } {
  const components = calendar.getAllSubcomponents('vevent');
  const masters = new Map<string, ICAL.Event>();
  const changed: ICAL.Component[] = [];
  const events: ICAL.Event[] = [];
  for (const component of components) {
    if (component.hasProperty('recurrence-id')) changed.push(component);
    else {
      // By default the library applies the changes of all events of the calendar at the same time of day.
      const event = new ICAL.Event(component, { exceptions: [] });
      masters.set(event.uid, event);
      events.push(event);
    }
  }
  for (const component of changed) {
    const event = new ICAL.Event(component);
    const master = masters.get(event.uid);
    if (master !== undefined && span !== undefined && master.isRecurring()) master.relateException(event);
    else events.push(event);
  }
  const occurrences: Occurrence[] = [];
  let steps = 0;
  for (const event of events) {
    if (span === undefined || !event.isRecurring()) {
      const one = occurrenceAt(event, event.startDate, event.endDate, zones);
      if (span === undefined || touches(one, span)) occurrences.push(one);
      continue;
    }
    const iterator = event.iterator();
    for (let next = iterator.next(); next != null; next = iterator.next()) {
      steps += 1;
      if (steps > maxSteps) return { occurrences: inOrder(occurrences), isWhole: false };
      if (isLongBefore(next, event, span)) continue;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      const one = occurrenceAt(item, startDate, endDate, zones);
      if (momentOf(next, tzidOf(event), zones).atMs >= span.toMs && one.start.atMs >= span.toMs) break;
      if (touches(one, span)) occurrences.push(one);
    }
  }
  return { occurrences: inOrder(occurrences), isWhole: true };
}

/**
 * Returns true for a time that ends safely before the span: two days cover every offset of a zone. False for events with moved
 * occurrences, which may be anywhere.
 */
function isLongBefore(time: ICAL.Time, event: ICAL.Event, { fromMs }: Span): boolean {
  const marginMs = 2 * 24 * 60 * 60 * 1000;
  const lengthMs = event.duration.toSeconds() * 1000;
  return Object.keys(event.exceptions).length === 0 && time.toUnixTime() * 1000 + lengthMs + marginMs < fromMs;
}

function occurrenceAt(event: ICAL.Event, start: ICAL.Time, end: ICAL.Time, zones: CalendarZones): Occurrence {
  const tzid = tzidOf(event);
  return { event, start: momentOf(start, tzid, zones), end: momentOf(end, tzidOf(event, 'dtend') ?? tzid, zones) };
}

function tzidOf(event: ICAL.Event, property = 'dtstart'): string | undefined {
  const tzid = event.component.getFirstProperty(property)?.getFirstParameter('tzid');
  return tzid === undefined || tzid === '' ? undefined : tzid;
}

/** Returns true when an occurrence overlaps the span. An event without a duration overlaps at its start. */
function touches({ start, end }: Occurrence, { fromMs, toMs }: Span): boolean {
  return start.atMs < toMs && (end.atMs > fromMs || start.atMs >= fromMs);
}

function inOrder(occurrences: Occurrence[]): Occurrence[] {
  return occurrences.sort((a, b) => a.start.atMs - b.start.atMs);
}
