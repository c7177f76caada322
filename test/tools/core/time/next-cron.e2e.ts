import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Fired {
  readonly times: readonly string[];
  readonly description: string;
  readonly note?: string;
}

/** Tries every minute against the fields, as local time of the zone. */
const bruteForce = [
  'names = {n: i for i, n in enumerate("SUN MON TUE WED THU FRI SAT".split())} | {n: i + 1 for i, n in enumerate("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split())}',
  'number = lambda text: names[text] if text in names else int(text)',
  'def members(field, low, high):',
  '    found = set()',
  '    for part in field.split(","):',
  '        span, _, step = part.partition("/")',
  '        first, _, last = (f"{low}-{high}" if span == "*" else span).partition("-")',
  '        found |= set(range(number(first), number(last or first) + 1, int(step or 1)))',
  '    return found',
  'def fires(expression, after, count, zone):',
  '    fields = expression.split()',
  '    minutes, hours, days, months, weekdays = (members(f, *b) for f, b in zip(fields, [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]))',
  '    weekdays = {day % 7 for day in weekdays}',
  '    t, found = after.replace(second=0, microsecond=0), []',
  '    while len(found) < count:',
  '        t += timedelta(minutes=1)',
  '        local = t.astimezone(zone)',
  '        of_month, of_week = local.day in days, local.isoweekday() % 7 in weekdays',
  '        day = (of_month or of_week) if fields[2] != "*" and fields[4] != "*" else (of_month and of_week)',
  '        if local.minute in minutes and local.hour in hours and local.month in months and day: found.append(iso(local))',
  '    return found',
  'after = datetime.fromisoformat(given["after"]).replace(tzinfo=utc)',
  'result = [fires(e, after, 20, ZoneInfo(given["zone"])) for e in given["expressions"]]',
].join('\n');

describe('time_next_cron', () => {
  const call = sharedTool<Fired>('time_next_cron');
  const fire = (expression: string, more: object = {}): Promise<Fired> => call({ expression, ...more });

  afterEach(() => sinon.restore());

  const windows = [
    { what: 'on ordinary days', zone: 'Asia/Kathmandu', after: '2024-02-27T13:37:21' },
    { what: 'while the clocks go forward', zone: 'Europe/Berlin', after: '2024-03-30T20:00:00' },
    { what: 'while the clocks go back', zone: 'Europe/Berlin', after: '2024-10-26T20:00:00' },
    { what: 'while the clocks go forward by half an hour', zone: 'Australia/Lord_Howe', after: '2023-09-30T10:00:00' },
  ];
  const repeated = [
    '*/5 * * * *',
    '*/20 1-3 * * *',
    '0,30 2 * * *',
    '15 */2 * * *',
    '5-10/2 1,2,3 * * *',
    '*/7 * * * SUN',
    '30 1,2 28-31 MAR,OCT *',
  ];
  const ordinary = [
    '0 12 * * *',
    '0 9 * * MON-FRI',
    '59 23 1,15 * *',
    '30 12 13 * FRI',
    '0 0 29 FEB *',
    '0 12 1-7 * 1',
    '15 14 */10 * *',
    '0 6 * * 7',
  ];
  for (const { what, zone, after } of windows) {
    it(`gives the minutes that Python finds by trying all of them ${what}`, async () => {
      const expressions =
        what === 'on ordinary days'
          ? [...repeated.slice(0, -1), ...ordinary.filter((line) => !line.includes('FEB'))]
          : repeated.slice(0, -1);
      const expected = pythonTimes<string[][]>(bruteForce, { expressions, zone, after });
      for (const [index, expression] of expressions.entries()) {
        const { times } = await fire(expression, { timezone: zone, after: `${after}Z`, count: 20 });
        expect(times, expression).to.deep.equal(expected[index]);
      }
    });
  }

  const cases: readonly { expression: string; more?: object; times: readonly string[]; description: string }[] = [
    {
      expression: '30 2 * * *',
      more: { timezone: 'Europe/Berlin', after: '2024-03-30T12:00' },
      times: ['2024-03-31T03:00:00.000+02:00', '2024-04-01T02:30:00.000+02:00'],
      description: 'At 02:30',
    },
    {
      expression: '30 2 * * *',
      more: { timezone: 'Europe/Berlin', after: '2024-10-26T12:00' },
      times: ['2024-10-27T02:30:00.000+02:00', '2024-10-28T02:30:00.000+01:00'],
      description: 'At 02:30',
    },
    {
      expression: '15-15 0-4 * * *',
      more: { timezone: 'Europe/Berlin', after: '2024-10-27T02:00:00+02:00' },
      times: ['2024-10-27T02:15:00.000+02:00', '2024-10-27T02:15:00.000+01:00'],
      description: 'Minutes 15 through 15 past the hour, between 00:00 and 04:59',
    },
    {
      expression: '15-15 2-2 * * *',
      more: { timezone: 'Europe/Berlin', after: '2024-10-27T02:00:00+02:00' },
      times: ['2024-10-27T02:15:00.000+02:00', '2024-10-28T02:15:00.000+01:00'],
      description: 'Minutes 15 through 15 past the hour, between 02:00 and 02:59',
    },
    { expression: '*/20 * * * * *', times: ['2024-02-28T12:00:20.000Z', '2024-02-28T12:00:40.000Z'], description: 'Every 20 seconds' },
    {
      expression: '0 0 29 2 *',
      times: ['2024-02-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
      description: 'At 00:00, on day 29 of the month, only in February',
    },
    {
      expression: '0 0 L * *',
      times: ['2024-02-29T00:00:00.000Z', '2024-03-31T00:00:00.000Z'],
      description: 'At 00:00, on the last day of the month',
    },
    {
      expression: '0 0 * * FRI#L',
      times: ['2024-03-29T00:00:00.000Z', '2024-04-26T00:00:00.000Z'],
      description: 'At 00:00, on the last Friday of the month',
    },
    {
      expression: '0 0 * * fri#2',
      times: ['2024-03-08T00:00:00.000Z', '2024-04-12T00:00:00.000Z'],
      description: 'At 00:00, on the second Friday of the month',
    },
    {
      expression: '0 0 15W * *',
      times: ['2024-03-15T00:00:00.000Z', '2024-04-15T00:00:00.000Z'],
      description: 'At 00:00, on the weekday nearest day 15 of the month',
    },
    {
      expression: '0 0 13 * +FRI',
      times: ['2024-09-13T00:00:00.000Z', '2024-12-13T00:00:00.000Z'],
      description: 'At 00:00, on day 13 of the month, only on Friday',
    },
    {
      expression: '0 0 1 * MON',
      times: ['2024-03-01T00:00:00.000Z', '2024-03-04T00:00:00.000Z'],
      description: 'At 00:00, on day 1 of the month, and on Monday (either day is enough)',
    },
    {
      expression: '0 0 */2 * MON',
      times: ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
      description:
        'At 00:00, every 2 days in a month, and on Monday (either day is enough; some schedulers want both where one begins with *)',
    },
    {
      expression: '0 0 * * 5-6#L',
      times: ['2024-03-29T00:00:00.000Z', '2024-03-30T00:00:00.000Z'],
      description: 'There are no words for "0 0 * * 5-6#L": see the times.',
    },
    {
      expression: '0 0 1W,15W * *',
      times: ['2024-03-01T00:00:00.000Z', '2024-03-15T00:00:00.000Z'],
      description: 'There are no words for "0 0 1W,15W * *": see the times.',
    },
    { expression: ' @daily ', times: ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'], description: 'At 00:00' },
    { expression: '0  0 ?\t* *', times: ['2024-02-29T00:00:00.000Z', '2024-03-01T00:00:00.000Z'], description: 'At 00:00' },
  ];
  for (const { expression, more, times, description } of cases) {
    it(`knows when ${JSON.stringify(expression)} fires after ${JSON.stringify(more ?? 'February 28')}`, async () => {
      const fired = await fire(expression, { after: '2024-02-28T12:00', count: 2, ...more });
      expect(fired).to.deep.equal({ times, description });
    });
  }

  it('leaves out the time after which it counts, and counts from now when there is none', async () => {
    expect((await fire('0 12 * * *', { after: '2024-02-29T12:00Z', count: 1 })).times).to.deep.equal(['2024-03-01T12:00:00.000Z']);
    sinon.useFakeTimers({ now: Date.parse('2024-02-29T11:59:59.999Z'), toFake: ['Date'] });
    expect((await fire('0 12 * * *')).times).to.deep.equal(
      [29, 1, 2, 3, 4].map((day) => `2024-0${day === 29 ? 2 : 3}-${String(day).padStart(2, '0')}T12:00:00.000Z`),
    );
  });

  it('says which of two times that look the same it counts from', async () => {
    const { times, note } = await fire('0 * * * *', { timezone: 'Europe/Berlin', after: '2024-10-27T02:30', count: 1 });
    expect(times).to.deep.equal(['2024-10-27T02:00:00.000+01:00']);
    expect(note).to.include('comes twice in Europe/Berlin');
  });

  const endless = ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '* * * 30 2 *', '0 0 29 2 +MON#4', '0 0 31W 4 *', '0 0 30 2 +1-5'];
  for (const expression of endless) {
    it(`ends with an error for ${expression}, which never fires`, async () => {
      const { message } = await rejection(fire(expression, { after: '2024-01-01', count: 100 }), 'INVALID_PARAMETERS');
      expect(message).to.equal(
        `Parameter "expression": no time after 2024-01-01T00:00:00.000Z fits "${expression}". Look for a day that the months do not have, such as February 30.`,
      );
    });
  }

  const refused: readonly { expression: string; more?: object; says: string }[] = [
    { expression: '61 * * * *', says: 'received "61 * * * *": Invalid value for minute: 61. The fields are [second] minute hour' },
    { expression: '* * * *', says: 'it has 4 fields' },
    { expression: '0 0 0 1 1 * 2030', says: 'it has 7 fields' },
    { expression: '2024-01-01T00:00:00', says: 'it has 1 fields' },
    { expression: ' ', says: 'it has 1 fields' },
    { expression: '@reboot', says: '@reboot is not supported' },
    { expression: '@ever', says: 'expected a cron expression' },
    { expression: '0 0 * * 1#6', says: 'nth weekday out of range' },
    { expression: '*/0 * * * *', says: 'expected a cron expression' },
    { expression: 'jeden Tag um 10 Uhr früh', says: 'contains illegal characters' },
    { expression: '0 0 * * *', more: { timezone: 'PST' }, says: 'expected an IANA time zone' },
    { expression: '0 0 * * *', more: { after: 'now' }, says: 'Parameter "after": expected ISO 8601' },
    { expression: '0 0 * * *', more: { count: 0 }, says: 'count expected' },
    { expression: '0 0 * * *', more: { count: 101 }, says: 'count expected' },
    { expression: '0 0 * * *'.padEnd(201), says: 'received string of 201 characters' },
  ];
  for (const { expression, more, says } of refused) {
    it(`refuses ${JSON.stringify(expression).slice(0, 30)} ${JSON.stringify(more ?? {})}`, async () => {
      expect((await rejection(fire(expression, { ...more }), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
