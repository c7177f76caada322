import { python } from '../support/python.ts';
import type { Random } from '../support/random.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

interface Meeting {
  readonly summary: string;
  /** A day, or a time in UTC, in ISO 8601. */
  readonly start: string;
  readonly end: string;
}

const zones = ['Europe/Zurich', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The weeks in which clocks of these zones change, on different days. */
const span = { from: '2026-03-02', to: '2026-04-13' };

/**
 * Works the calendar out day by day: for each day of the span it asks of each rule whether the day fits, and knows nothing of a library for
 * calendars. Rules are those that the calendar of this job has: weekly with INTERVAL and BYDAY, monthly with the nth weekday, daily; COUNT, UNTIL.
 */
const workedOut = `
import datetime, re, zoneinfo
utc = datetime.timezone.utc
home = zoneinfo.ZoneInfo("Europe/Zurich")
lines = open(given["folder"] + "/team.ics", encoding="utf-8", newline="").read().replace("\\r\\n ", "").split("\\r\\n")
events, event = [], None
for line in lines:
    if line == "BEGIN:VEVENT": event = {}
    elif line == "END:VEVENT":
        events.append(event)
        event = None
    elif event is not None:
        name, value = re.match(r"([^:]+):(.*)", line).groups()
        event.setdefault(name.split(";")[0], []).append((name, value))
def time(pair):
    name, value = pair
    if "VALUE=DATE" in name: return datetime.datetime.strptime(value, "%Y%m%d").date()
    if value.endswith("Z"): return datetime.datetime.strptime(value, "%Y%m%dT%H%M%SZ").replace(tzinfo=utc)
    zone = re.search("TZID=([^;:]+)", name).group(1)
    return datetime.datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=zoneinfo.ZoneInfo(zone))
weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
day_of = lambda moment: moment.date() if isinstance(moment, datetime.datetime) else moment
monday = lambda day: day - datetime.timedelta(days=day.weekday())
def fits(day, first, rule):
    every = int(rule.get("INTERVAL", "1"))
    if rule["FREQ"] == "DAILY": return (day - first).days % every == 0
    if rule["FREQ"] == "WEEKLY":
        return (monday(day) - monday(first)).days // 7 % every == 0 and weekdays[day.weekday()] in rule["BYDAY"].split(",")
    number, weekday = re.match(r"(-?\\d+)(\\w\\w)", rule["BYDAY"]).groups()
    if weekdays[day.weekday()] != weekday: return False
    if int(number) > 0: return (day.day - 1) // 7 + 1 == int(number)
    return (day + datetime.timedelta(days=7)).month != day.month
instant = lambda moment: moment.astimezone(utc) if isinstance(moment, datetime.datetime) else datetime.datetime.combine(moment, datetime.time(), home).astimezone(utc)
begin, end = (datetime.datetime.fromisoformat(given[one]).replace(tzinfo=home) for one in ["from", "to"])
changed = {(one["UID"][0][1], instant(time(one["RECURRENCE-ID"][0]))): one for one in events if "RECURRENCE-ID" in one}
found = []
def add(event, start, length):
    if event.get("STATUS", [("", "")])[0][1] == "CANCELLED": return
    stop = (start.astimezone(utc) if isinstance(start, datetime.datetime) else start) + length
    if instant(start) >= end or (instant(stop) <= begin and instant(start) < begin): return
    shown = lambda moment: instant(moment).strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(moment, datetime.datetime) else moment.isoformat()
    found.append((instant(start), event["SUMMARY"][0][1].replace("\\\\,", ","), shown(start), shown(stop)))
span_of = lambda event: instant(time(event["DTEND"][0])) - instant(time(event["DTSTART"][0])) if isinstance(time(event["DTSTART"][0]), datetime.datetime) else time(event["DTEND"][0]) - time(event["DTSTART"][0])
for event in events:
    if "RECURRENCE-ID" in event: continue
    first = time(event["DTSTART"][0])
    if "RRULE" not in event:
        add(event, first, span_of(event))
        continue
    rule = dict(part.split("=") for part in event["RRULE"][0][1].split(";"))
    out = {instant(time(pair)) for pair in event.get("EXDATE", [])}
    until = instant(time(("DTSTART", rule["UNTIL"]))) if "UNTIL" in rule else None
    count, day = int(rule.get("COUNT", "100000")), day_of(first)
    while count > 0 and day <= day_of(end) + datetime.timedelta(days=1):
        start = first.replace(year=day.year, month=day.month, day=day.day)
        if fits(day, day_of(first), rule):
            if until is not None and instant(start) > until: break
            count -= 1
            other = changed.get((event["UID"][0][1], instant(start)))
            if other is not None: add(other, time(other["DTSTART"][0]), span_of(other))
            elif instant(start) not in out: add(event, start, span_of(event))
        day += datetime.timedelta(days=1)
result = [{"summary": summary, "start": start, "end": stop} for _, summary, start, stop in sorted(found)]
`;

runJob<readonly Meeting[]>({
  number: 19,
  title: 'all times of six weeks in an ICS calendar',
  async prepare(folder, random) {
    const events = Array.from({ length: 30 }, (_, index) => eventLines(random, index)).flat();
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//jobs//', ...events, 'END:VCALENDAR', ''];
    await writeFiles(folder, { 'team.ics': lines.map(folded).join('\r\n') });
  },
  async steps(client) {
    const read = await client.tool('calendar_read', 'events of a calendar file');
    const meetings: (Meeting & { readonly status?: string })[] = [];
    let page: Page | undefined;
    do {
      page = await read.call<Page & Record<string, unknown>>({
        path: 'team.ics',
        ...span,
        time_zone: 'Europe/Zurich',
        ...(page?.next_offset === undefined ? {} : { offset: page.next_offset }),
      });
      meetings.push(...page.events);
    } while (page.truncated);
    const inUtc = (time: string): string => (time.length === 10 ? time : new Date(time).toISOString().replace('.000', ''));
    return inOrder(
      meetings
        .filter(({ status }) => status !== 'cancelled')
        .map(({ summary, start, end }) => ({ summary, start: inUtc(start), end: inUtc(end) })),
    );
  },
  expected: (folder) => inOrder(python<readonly Meeting[]>(workedOut, { folder, ...span })),
});

interface Page {
  readonly events: readonly Meeting[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

function inOrder(meetings: readonly Meeting[]): readonly Meeting[] {
  return [...meetings].sort((a, b) => (`${a.start} ${a.summary}` < `${b.start} ${b.summary}` ? -1 : 1));
}

/** An event: on one day, at one time, or one that recurs, now and then with a time that is left out, moved or cancelled. */
function eventLines(random: Random, index: number): readonly string[] {
  const uid = `UID:${index}@jobs.example`;
  const name = `SUMMARY:${random.oneOf(['Review', 'Standup', 'Lunch\\, long', 'Grüße', 'Planning of the next months with everybody who has time'])} ${index}`;
  const wrapped = (...lines: readonly string[]): readonly string[] => ['BEGIN:VEVENT', uid, ...lines, 'END:VEVENT'];
  if (random.chance(0.2)) {
    const day = (shift: number): string => dayOf(2026, 2, 20 + 3 * (index % 20) + shift);
    return wrapped(name, `DTSTART;VALUE=DATE:${day(0)}`, `DTEND;VALUE=DATE:${day(random.between(1, 3))}`);
  }
  const zone = random.oneOf(zones);
  const weekday = random.below(7);
  // 5 January 2026 is a Monday.
  const first = new Date(Date.UTC(2026, 0, 5 + weekday + 7 * random.below(6)));
  const hour = random.between(8, 20);
  const at = (day: string, time = hour): string => `;TZID=${zone}:${day}T${String(time).padStart(2, '0')}3000`;
  const times = (day: string, time = hour): readonly string[] => [`DTSTART${at(day, time)}`, `DTEND${at(day, time + 1)}`];
  const day = (date: Date): string => date.toISOString().slice(0, 10).replaceAll('-', '');
  if (random.chance(0.2)) return wrapped(name, ...times(dayOf(2026, 3, 1 + index)));
  const everyWeek = `FREQ=WEEKLY;INTERVAL=${random.between(1, 2)};BYDAY=${[days[weekday], days[(weekday + 2) % 7]].join(',')}`;
  const rule = random.oneOf([
    everyWeek,
    `${everyWeek};COUNT=${random.between(20, 30)}`,
    `${everyWeek};UNTIL=${dayOf(2026, 3, random.between(10, 40))}T120000Z`,
    `FREQ=DAILY;INTERVAL=${random.between(3, 9)}`,
  ]);
  const nth = Math.ceil(first.getUTCDate() / 7);
  const isMonthly = random.chance(0.25);
  const chosen = isMonthly ? `FREQ=MONTHLY;BYDAY=${nth}${days[weekday]}` : rule;
  // Eight weeks behind the first these have a time, whatever was chosen.
  const isChanged = chosen.startsWith(everyWeek) && !chosen.includes('UNTIL');
  const later = new Date(first.getTime() + 8 * 7 * 86_400_000);
  const change = isChanged ? random.oneOf(['none', 'left out', 'moved', 'cancelled'] as const) : 'none';
  const single = [`RECURRENCE-ID${at(day(later))}`, ...times(day(later), hour + 2)];
  return [
    ...wrapped(name, ...times(day(first)), `RRULE:${chosen}`, ...(change === 'left out' ? [`EXDATE${at(day(later))}`] : [])),
    ...(change === 'moved' ? wrapped(`${name} moved`, ...single) : []),
    ...(change === 'cancelled' ? wrapped(name, 'STATUS:CANCELLED', ...single) : []),
  ];
}

/** As in a calendar; a day past the end of the month is one of the next. */
function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Breaks a line that is longer than a calendar may have it (75 bytes). */
function folded(line: string): string {
  return line.length <= 60 ? line : `${line.slice(0, 60)}\r\n ${line.slice(60)}`;
}
