import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

interface Read {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly truncated: boolean;
  readonly next_offset?: number;
  readonly notes?: readonly string[];
}

/** A zone that only the calendar knows: an hour ahead of UTC, two in summer. */
const ownZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Office',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

const event = (...lines: readonly string[]): readonly string[] => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

describe('calendar_read', () => {
  const run = sharedDataToolkit();

  async function read(lines: readonly string[], more: Readonly<Record<string, unknown>> = {}): Promise<Read> {
    const place = path.join(await temporaryFolder(), 'team.ics');
    await writeFile(place, ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
    return run<Read>('calendar_read', { path: place, ...more });
  }

  const march = { from: '2026-03-27', to: '2026-04-02', time_zone: 'Europe/Zurich' };
  const daily = [
    'UID:1',
    'SUMMARY:Standup',
    'DTSTART;TZID=Office:20260327T090000',
    'DTEND;TZID=Office:20260327T093000',
    'RRULE:FREQ=DAILY;COUNT=5',
  ];
  const moved = event(
    'UID:1',
    'SUMMARY:Later',
    'RECURRENCE-ID;TZID=Office:20260330T090000',
    'DTSTART;TZID=Office:20260330T110000',
    'DTEND;TZID=Office:20260330T113000',
  );

  /** Calendars, and the starts that must come of them. */
  const spans: readonly {
    readonly name: string;
    readonly lines: readonly string[];
    readonly starts: readonly string[];
    readonly more?: object;
  }[] = [
    {
      name: 'a rule over a change of the clock, without the time taken out and with the moved one',
      lines: [...ownZone, ...event(...daily, 'EXDATE;TZID=Office:20260328T090000'), ...moved],
      starts: ['2026-03-27T09:00:00+01:00', '2026-03-29T09:00:00+02:00', '2026-03-30T11:00:00+02:00', '2026-03-31T09:00:00+02:00'],
    },
    {
      name: 'events at the same time of day, of which one is moved once',
      lines: [
        ...ownZone,
        ...event(...daily),
        ...moved,
        ...event('UID:10', 'SUMMARY:Other', 'DTSTART;TZID=Office:20260330T090000', 'RRULE:FREQ=DAILY;COUNT=2'),
        ...event('UID:11', 'SUMMARY:Once', 'DTSTART;TZID=Office:20260330T090000'),
      ],
      starts: [
        '2026-03-27T09:00:00+01:00',
        '2026-03-28T09:00:00+01:00',
        '2026-03-29T09:00:00+02:00',
        '2026-03-30T09:00:00+02:00',
        '2026-03-30T09:00:00+02:00',
        '2026-03-30T11:00:00+02:00',
        '2026-03-31T09:00:00+02:00',
        '2026-03-31T09:00:00+02:00',
      ],
    },
    {
      name: 'a zone that the calendar names and does not define',
      lines: event('UID:2', 'DTSTART;TZID=America/New_York:20260328T090000', 'DURATION:PT1H'),
      starts: ['2026-03-28T09:00:00-04:00'],
    },
    {
      name: 'a rule in a zone that is not defined, up to a time in UTC and without another',
      lines: event(
        'UID:12',
        'DTSTART;TZID=Australia/Sydney:20260327T193000',
        'RRULE:FREQ=DAILY;UNTIL=20260331T083000Z',
        'EXDATE:20260329T083000Z',
      ),
      starts: ['2026-03-27T19:30:00+11:00', '2026-03-28T19:30:00+11:00', '2026-03-30T19:30:00+11:00', '2026-03-31T19:30:00+11:00'],
    },
    {
      name: 'a time in UTC',
      lines: event('UID:3', 'DTSTART:20260328T090000Z', 'DTEND:20260328T100000Z'),
      starts: ['2026-03-28T09:00:00Z'],
    },
    { name: 'a time without a zone', lines: event('UID:4', 'DTSTART:20260328T090000'), starts: ['2026-03-28T09:00:00'] },
    { name: 'days that recur for ever', lines: event('UID:5', 'DTSTART;VALUE=DATE:20000107', 'RRULE:FREQ=WEEKLY'), starts: ['2026-03-27'] },
    {
      name: 'an event that began before the span',
      lines: event('UID:6', 'DTSTART:20260301T000000Z', 'DTEND:20260328T000000Z'),
      starts: ['2026-03-01T00:00:00Z'],
    },
    {
      name: 'events before and after the span',
      lines: [...event('UID:7', 'DTSTART:20260301T000000Z'), ...event('UID:8', 'DTSTART:20260402T000000Z')],
      starts: [],
    },
    {
      name: 'times that are listed (RDATE)',
      lines: event('UID:9', 'DTSTART:20260101T000000Z', 'RDATE:20260328T000000Z'),
      starts: ['2026-03-28T00:00:00Z'],
    },
  ];

  for (const { name, lines, starts } of spans)
    it(`places ${name}`, async () => {
      const result = await read(lines, march);
      expect(result.events.map(({ start }) => start)).to.deep.equal(starts);
      expect(result.total).to.equal(starts.length);
    });

  it('gives each event once with its rule where no span is asked for', async () => {
    const { events } = await read([
      ...ownZone,
      ...event(...daily, 'LOCATION:Room 3\\, left', 'STATUS:CONFIRMED', 'ATTENDEE:mailto:a@example.org'),
    ]);
    expect(events).to.deep.equal([
      {
        summary: 'Standup',
        start: '2026-03-27T09:00:00+01:00',
        end: '2026-03-27T09:30:00+01:00',
        time_zone: 'Office',
        location: 'Room 3, left',
        status: 'confirmed',
        attendees: 1,
        recurs: 'FREQ=DAILY;COUNT=5',
        uid: '1',
      },
    ]);
  });

  it('says so where a zone is known to nobody, and where a rule names too many times', async () => {
    const unknown = await read(event('UID:1', 'DTSTART;TZID=Atlantis:20260328T090000'), march);
    expect(unknown.events[0]).to.include({ start: '2026-03-28T09:00:00', time_zone: 'Atlantis' });
    expect(unknown.notes?.join()).to.include('"Atlantis" is not known');
    const endless = await read(event('UID:1', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY'), march);
    expect(endless.notes?.join()).to.include('some are missing');
  });

  it('gives every event once to one who goes on at next_offset', async () => {
    const lines = Array.from({ length: 7 }, (_, index) => event(`UID:${index}`, `DTSTART:2026032${index}T000000Z`)).flat();
    const first = await read(lines, { max_events: 4 });
    expect([first.total, first.truncated, first.next_offset]).to.deep.equal([7, true, 4]);
    const rest = await read(lines, { offset: 4 });
    expect([...first.events, ...rest.events].map(({ uid }) => uid)).to.deep.equal(['0', '1', '2', '3', '4', '5', '6']);
  });

  const refusals: readonly { readonly name: string; readonly more: Readonly<Record<string, unknown>>; readonly says: RegExp }[] = [
    { name: 'a time that is none', more: { from: 'next week' }, says: /"from" as ISO 8601.*next week/ },
    { name: 'a span that ends before it begins', more: { from: '2026-02-01', to: '2026-01-01' }, says: /"from" before "to"/ },
    { name: 'a zone that there is not', more: { time_zone: 'Europe/Atlantis' }, says: /Unknown time_zone/ },
  ];
  for (const { name, more, says } of refusals)
    it(`refuses ${name}`, async () => {
      const { message } = await rejection(read(event('UID:1', 'DTSTART:20260328T090000Z'), more), 'INVALID_PARAMETERS');
      expect(message).to.match(says);
    });

  it('refuses a file that is no calendar', async () => {
    const place = path.join(await temporaryFolder({ 'a.ics': 'hello' }), 'a.ics');
    const { message } = await rejection(run('calendar_read', { path: place }), 'INVALID_PARAMETERS');
    expect(message).to.match(/as iCalendar/);
  });
});
