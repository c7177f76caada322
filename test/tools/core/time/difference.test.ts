import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { everyNth } from '../../../support/round.ts';
import { pythonTimes, zones } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Difference {
  readonly [unit: string]: unknown;
  readonly total_seconds: number;
  readonly human: string;
  readonly note?: string;
}

const days = { units: ['days'] };
const berlin = { timezone: 'Europe/Berlin' };

describe('time_difference', () => {
  const call = sharedTool<Difference>('time_difference');
  const difference = (start: string, end: string, more: object = {}): Promise<Difference> => call({ start, end, ...more });
  const add = sharedTool<{ readonly iso: string }>('time_add');

  it('gives the seconds and the days of the calendar that Python gives', async () => {
    const program = [
      'found = []',
      'for name in given:',
      '    zone = ZoneInfo(name)',
      '    for n in range(40):',
      '        start = datetime(2015, 1, 5, 12) + timedelta(days=41 * n)',
      '        end = start + timedelta(days=(n * 97) % 1500 - 700)',
      '        seconds = (end.replace(tzinfo=zone).astimezone(utc) - start.replace(tzinfo=zone).astimezone(utc)).total_seconds()',
      '        found.append({"timezone": name, "start": start.isoformat(), "end": end.isoformat(), "days": (end - start).days, "seconds": seconds})',
      'result = found',
    ].join('\n');
    type Row = { timezone: string; start: string; end: string; days: number; seconds: number };
    const wrong = [];
    for (const { timezone, start, end, days: whole, seconds } of everyNth(pythonTimes<Row[]>(program, zones), 7)) {
      const given = await difference(start, end, { timezone, ...days });
      if (given['days'] !== whole || given.total_seconds !== seconds) wrong.push({ timezone, start, end, whole, seconds, given });
    }
    expect(wrong).to.deep.equal([]);
  });

  it('gives what time_add needs to come from start to end', async () => {
    const ends = ['2024-02-29T23:59:59Z', '2024-03-31T01:30Z', '2025-01-31T00:00Z', '2031-12-01T12:34:56Z', '2024-01-31T10:00:01Z'];
    for (const end of ends) {
      const given = await difference('2024-01-31T10:00Z', end, berlin);
      const { total_seconds: _seconds, human: _human, note: _note, ...amounts } = given;
      const sum = await add({ time: '2024-01-31T10:00Z', ...berlin, ...amounts });
      expect(Date.parse(sum.iso), end).to.equal(Date.parse(end));
    }
  });

  const cases: readonly { what: string; start: string; end: string; more?: object; gives: object }[] = [
    {
      what: 'from the end of a month to the first of another',
      start: '2024-01-31',
      end: '2024-03-01',
      gives: { years: 0, months: 1, days: 1, hours: 0, minutes: 0, seconds: 0, total_seconds: 2592000, human: '1 month and 1 day' },
    },
    {
      what: 'backwards',
      start: '2024-03-01',
      end: '2024-01-31',
      gives: {
        years: 0,
        months: -1,
        days: -1,
        hours: 0,
        minutes: 0,
        seconds: 0,
        total_seconds: -2592000,
        human: '1 month and 1 day earlier',
      },
    },
    {
      what: 'between equal times',
      start: '2024-02-29T10:00Z',
      end: '2024-02-29T11:00+01:00',
      more: { units: ['hours', 'seconds'] },
      gives: { hours: 0, seconds: 0, total_seconds: 0, human: '0 seconds' },
    },
    {
      what: 'from a leap day to the next year',
      start: '2024-02-29',
      end: '2025-02-28',
      more: { units: ['years', 'days'] },
      gives: { years: 1, days: 0, total_seconds: 31536000, human: '1 year' },
    },
    {
      what: 'in half days',
      start: '2024-01-01',
      end: '2024-01-02T12:00',
      more: days,
      gives: { days: 1.5, total_seconds: 129600, human: '1.5 days' },
    },
    {
      what: 'in weeks, in any order of units',
      start: '2024-01-01',
      end: '2024-01-17T01:00:00.250',
      more: { units: ['seconds', 'weeks', 'days'] },
      gives: { weeks: 2, days: 2, seconds: 3600.25, total_seconds: 1386000.25, human: '2 weeks, 2 days, and 3600.25 seconds' },
    },
    {
      what: 'over a day of 23 hours',
      start: '2024-03-30T12:00',
      end: '2024-03-31T12:00',
      more: { units: ['days', 'hours'], ...berlin },
      gives: { days: 1, hours: 0, total_seconds: 82800, human: '1 day' },
    },
    {
      what: 'over a day of 25 hours, in hours',
      start: '2024-10-26T12:00',
      end: '2024-10-27T12:00',
      more: { units: ['hours'], ...berlin },
      gives: { hours: 25, total_seconds: 90000, human: '25 hours' },
    },
    {
      what: 'between two times that look the same',
      start: '2024-10-27T02:30+02:00',
      end: '2024-10-27T02:30+01:00',
      more: { units: ['days', 'hours'], ...berlin },
      gives: { days: 0, hours: 1, total_seconds: 3600, human: '1 hour' },
    },
    {
      what: 'at the offset of start, where no zone is given',
      start: '2024-03-30T12:00+01:00',
      end: '2024-03-31T12:00+02:00',
      more: { units: ['days', 'hours'] },
      gives: {
        days: 0,
        hours: 23,
        total_seconds: 82800,
        human: '23 hours',
        note: 'Days are those of the offset of start (+01:00). To count by the clocks of a place, give timezone.',
      },
    },
    {
      what: 'at the offset of start backwards as well',
      start: '2024-03-31T00:30+02:00',
      end: '2024-02-29T23:30+01:00',
      more: { units: ['months', 'days'] },
      gives: {
        months: 0,
        days: -30,
        total_seconds: -2592000,
        human: '30 days earlier',
        note: 'Days are those of the offset of start (+02:00). To count by the clocks of a place, give timezone.',
      },
    },
    {
      what: 'over all years',
      start: '0001-01-01',
      end: '9999-12-31T23:59:59',
      more: { units: ['years', 'months'] },
      gives: { years: 9998, months: 11.999999627, total_seconds: 315537897599, human: '9998 years and 12 months' },
    },
  ];
  for (const { what, start, end, more, gives } of cases) {
    it(`counts ${what}`, async () => {
      expect(await difference(start, end, { ...more })).to.deep.equal(gives);
    });
  }

  it('says so where a rule decided which moment is meant', async () => {
    const { note } = await difference('2024-03-31T02:30', '2024-10-27T02:30', berlin);
    expect(note).to.include('2024-03-31 02:30 does not exist').and.include('2024-10-27 02:30 comes twice');
  });

  const refused = [
    { start: 'yesterday', says: 'Parameter "start": expected ISO 8601' },
    { end: '2024-02-30', says: 'Parameter "end": expected a time that exists' },
    { units: [], says: 'units expected' },
    { units: ['days', 'days'], says: 'units expected' },
    { units: ['fortnights'], says: 'units[0] expected one of "years"' },
    { timezone: 'Mars/Olympus', says: 'expected an IANA time zone' },
  ];
  for (const { says, start = '2024-01-01', end = '2024-01-02', ...more } of refused) {
    it(`refuses what ${says}`, async () => {
      expect((await rejection(difference(start, end, more), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
