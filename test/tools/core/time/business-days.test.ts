import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface BusinessDays {
  readonly days: number;
  readonly end: string;
  readonly inclusive_days: number;
}

/** Ranges of every direction and weekend, counted day by day, and moves. */
const program = [
  'one = timedelta(days=1)',
  'def working(day, weekend, holidays):',
  '    return day.isoweekday() not in weekend and day.isoformat() not in holidays',
  'def between(first, last, weekend, holidays):',
  '    step, found, day = (one if last >= first else -one), 0, first',
  '    while day != last:',
  '        counted = day + one if step == one else day + step',
  '        found += working(counted, weekend, holidays)',
  '        day += step',
  '    return found if step == one else -found',
  'rows = []',
  'for weekend in [[6, 7], [5, 6], [7], [], [1, 2, 3, 4, 5, 6]]:',
  '    for holidays in [[], ["2024-01-01", "2024-02-29", "2024-03-02", "2024-03-02"]]:',
  '        for n in range(25):',
  '            first = date(2024, 2, 20) + n * one',
  '            last = date(2024, 3, 10) - ((n * 7) % 40) * one',
  '            low, high = min(first, last), max(first, last)',
  '            inclusive = sum(working(low + i * one, weekend, holidays) for i in range((high - low).days + 1))',
  '            rows.append([{"start": str(first), "end": str(last), "weekend": weekend, "holidays": holidays},',
  '                         {"days": between(first, last, weekend, holidays), "end": str(last), "inclusive_days": inclusive}])',
  'result = rows',
].join('\n');

describe('time_business_days', () => {
  const businessDays = sharedTool<BusinessDays>('time_business_days');

  it('counts what Python counts day by day', async () => {
    const rows = pythonTimes<[Record<string, unknown>, BusinessDays][]>(program, null);
    expect(rows).to.have.length(250);
    for (const [parameters, expected] of rows) expect(await businessDays(parameters), JSON.stringify(parameters)).to.deep.equal(expected);
  });

  it('comes by adding to where counting comes from', async () => {
    for (const add_days of [-250, -11, -1, 1, 2, 5, 1000]) {
      for (const start of ['2024-02-29', '2024-03-02', '2024-03-03']) {
        const more = { start, holidays: ['2024-03-01', '2024-03-04'] };
        const moved = await businessDays({ ...more, add_days });
        const counted = await businessDays({ ...more, end: moved.end });
        expect(moved).to.deep.equal(counted);
        expect(counted.days, `${start} ${add_days}`).to.equal(add_days);
      }
    }
  });

  const cases: readonly { what: string; parameters: Record<string, unknown>; gives: BusinessDays }[] = [
    {
      what: 'the next working day from a Saturday',
      parameters: { start: '2024-03-02', add_days: 1 },
      gives: { days: 1, end: '2024-03-04', inclusive_days: 1 },
    },
    {
      what: 'the last working day from a Monday',
      parameters: { start: '2024-03-04', add_days: -1 },
      gives: { days: -1, end: '2024-03-01', inclusive_days: 2 },
    },
    {
      what: 'a Saturday itself',
      parameters: { start: '2024-03-02', add_days: 0 },
      gives: { days: 0, end: '2024-03-02', inclusive_days: 0 },
    },
    {
      what: 'one day to itself',
      parameters: { start: '2024-03-01', end: '2024-03-01' },
      gives: { days: 0, end: '2024-03-01', inclusive_days: 1 },
    },
    {
      what: 'a leap day that is a holiday',
      parameters: { start: '2024-02-28', add_days: 1, holidays: ['2024-02-29'] },
      gives: { days: 1, end: '2024-03-01', inclusive_days: 2 },
    },
    {
      what: 'all years',
      parameters: { start: '0001-01-01', end: '9999-12-31' },
      gives: { days: 2608614, end: '9999-12-31', inclusive_days: 2608615 },
    },
    {
      what: 'the largest move',
      parameters: { start: '2024-01-01', add_days: 100_000, weekend: [1, 2, 3, 4, 5, 6] },
      gives: { days: 100_000, end: '3940-07-14', inclusive_days: 100_000 },
    },
  ];
  for (const { what, parameters, gives } of cases) {
    it(`knows ${what}`, async () => {
      expect(await businessDays(parameters)).to.deep.equal(gives);
    });
  }

  const refused = [
    { parameters: { start: '2024-01-01' }, says: 'expected exactly one of "end" and "add_days", received neither' },
    { parameters: { start: '2024-01-01', end: '2024-01-02', add_days: 1 }, says: 'received both' },
    {
      parameters: { start: '2024-02-30', add_days: 1 },
      says: 'Parameter "start": expected a date that exists as YYYY-MM-DD, received "2024-02-30"',
    },
    { parameters: { start: '2024-01-01T10:00', add_days: 1 }, says: 'Leave out the time of day.' },
    { parameters: { start: '0000-01-01', add_days: 1 }, says: 'expected a date that exists' },
    {
      parameters: { start: '2024-01-01', end: '１月２日' },
      says: 'Parameter "end": expected a date that exists as YYYY-MM-DD, received "１月２日"',
    },
    {
      parameters: { start: '2024-01-01', add_days: 1, holidays: ['2024-01-02', 'Easter'] },
      says: 'Parameter "holidays[1]": expected a date',
    },
    { parameters: { start: '9999-12-30', add_days: 5 }, says: 'expected a result in the years 1 to 9999' },
    { parameters: { start: '0001-01-02', add_days: -5 }, says: 'expected a result in the years 1 to 9999' },
    { parameters: { start: '2024-01-01', add_days: 1, weekend: [1, 2, 3, 4, 5, 6, 7] }, says: 'weekend expected' },
    { parameters: { start: '2024-01-01', add_days: 1, weekend: [0] }, says: 'weekend[0] expected' },
    { parameters: { start: '2024-01-01', add_days: 100_001 }, says: 'add_days expected' },
    { parameters: { start: '2024-01-01', add_days: 1, holidays: Array(5001).fill('2024-01-01') }, says: 'holidays expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 70)}`, async () => {
      expect((await rejection(businessDays(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
