import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Added {
  readonly iso: string;
  readonly note?: string;
}

/** Amounts of every kind and sign from many starts, and what Python's datetime makes of them in the zone. */
function pythonSums(zone: string): readonly { readonly time: string; readonly amounts: object; readonly iso: string }[] {
  const program = [
    'import calendar, itertools',
    'zone = ZoneInfo(given)',
    'def add(t, a):',
    '    month = t.year * 12 + t.month - 1 + 12 * a.get("years", 0) + a.get("months", 0)',
    '    year, month = month // 12, month % 12 + 1',
    '    local = t.replace(year=year, month=month, day=min(t.day, calendar.monthrange(year, month)[1]))',
    '    local += timedelta(weeks=a.get("weeks", 0), days=a.get("days", 0))',
    '    passed = timedelta(hours=a.get("hours", 0), minutes=a.get("minutes", 0), seconds=a.get("seconds", 0))',
    '    return (local.replace(tzinfo=zone).astimezone(utc) + passed).astimezone(zone)',
    'starts = ["2024-02-29T02:30", "2024-01-31T00:00", "2023-12-31T23:59", "2024-03-30T02:30", "2024-10-26T02:30", "1999-08-15T12:00"]',
    'amounts = [{"years": 1}, {"years": -4}, {"months": 1}, {"months": -13}, {"years": 1, "months": 1}, {"weeks": -5}, {"days": 1}, {"days": -366},',
    '    {"months": 1, "days": 1}, {"days": 1, "hours": -24}, {"hours": 24}, {"hours": 1}, {"minutes": -90}, {"seconds": 86399}, {"days": 1, "hours": 1}, {"days": 0}]',
    'result = [{"time": s, "amounts": a, "iso": iso(add(datetime.fromisoformat(s), a))} for s, a in itertools.product(starts, amounts)]',
  ].join('\n');
  return pythonTimes(program, zone);
}

describe('time_add', () => {
  const call = sharedTool<Added>('time_add');
  const add = (time: string, more: object): Promise<Added> => call({ time, ...more });

  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
    it(`gives what Python's datetime gives in ${timezone}`, async () => {
      const sums = pythonSums(timezone);
      const given = await Promise.all(sums.map(({ time, amounts }) => add(time, { timezone, ...amounts })));
      expect(given.map(({ iso }) => iso)).to.deep.equal(sums.map(({ iso }) => iso));
    });
  }

  const berlin = { timezone: 'Europe/Berlin' };
  const cases: readonly { what: string; time: string; amounts: object; iso: string; note?: string }[] = [
    {
      what: 'a leap day to the last of February',
      time: '2024-02-29',
      amounts: { years: 1 },
      iso: '2025-02-28T00:00:00.000Z',
      note: 'February 2025 has no day 29: day 28 is taken.',
    },
    { what: 'a leap day to the next leap day', time: '2024-02-29', amounts: { years: 4 }, iso: '2028-02-29T00:00:00.000Z' },
    {
      what: 'the end of a month to the end of a shorter one, and on from there',
      time: '2024-01-31',
      amounts: { months: 1, days: 1 },
      iso: '2024-03-01T00:00:00.000Z',
      note: 'February 2024 has no day 31: day 29 is taken.',
    },
    {
      what: 'a day into a gap of the clocks',
      time: '2024-03-30T02:30',
      amounts: { days: 1, ...berlin },
      iso: '2024-03-31T03:30:00.000+02:00',
      note: '2024-03-31 02:30 does not exist in Europe/Berlin: the clocks go forward there. 03:30 +02:00 is taken.',
    },
    { what: 'an hour over a gap', time: '2024-03-31T01:30', amounts: { hours: 1, ...berlin }, iso: '2024-03-31T03:30:00.000+02:00' },
    {
      what: 'a day and a night of 23 hours',
      time: '2024-03-30T12:00',
      amounts: { hours: 24, ...berlin },
      iso: '2024-03-31T13:00:00.000+02:00',
    },
    {
      what: 'an hour to the second time that looks the same',
      time: '2024-10-27T02:30+02:00',
      amounts: { hours: 1, ...berlin },
      iso: '2024-10-27T02:30:00.000+01:00',
    },
    { what: 'nothing to it', time: '2024-10-27T02:30+01:00', amounts: { days: 0, ...berlin }, iso: '2024-10-27T02:30:00.000+01:00' },
    {
      what: 'days at a fixed offset, without a zone',
      time: '2024-03-30T12:00+01:00',
      amounts: { days: 1 },
      iso: '2024-03-31T12:00:00.000+01:00',
    },
    { what: 'milliseconds along', time: '2024-02-29T10:00:00.123Z', amounts: { seconds: -1 }, iso: '2024-02-29T09:59:59.123Z' },
    { what: 'years down to the first one', time: '2024-01-01', amounts: { years: -2023 }, iso: '0001-01-01T00:00:00.000Z' },
    { what: 'seconds up to the last one', time: '2024-01-01', amounts: { seconds: 251698233599 }, iso: '9999-12-31T23:59:59.000Z' },
  ];
  for (const { what, time, amounts, iso, note } of cases) {
    it(`takes ${what}`, async () => {
      const sum = await add(time, { ...amounts });
      expect({ iso: sum.iso, note: sum.note }).to.deep.equal({ iso, note });
    });
  }

  it('undoes days and hours by their negatives', async () => {
    const there = await add('2024-03-15T09:30:00+01:00', { weeks: 3, hours: 5, timezone: 'America/New_York' });
    const back = await add(there.iso, { hours: -5, timezone: 'America/New_York' });
    expect((await add(back.iso, { weeks: -3, timezone: 'Europe/Berlin' })).iso).to.equal('2024-03-15T10:30:00.000+01:00');
  });

  const refused = [
    { parameters: {}, says: 'expected at least one amount, such as "days", received none' },
    { parameters: { timezone: 'UTC' }, says: 'expected at least one amount' },
    { parameters: { days: 1.5 }, says: 'days expected integer, received number 1.5' },
    { parameters: { days: '1' }, says: 'days expected integer' },
    { parameters: { years: 10_000 }, says: 'years expected' },
    { parameters: { years: 9999 }, says: 'expected a sum in the years 1 to 9999' },
    { parameters: { years: -2024 }, says: 'expected a sum in the years 1 to 9999' },
    { parameters: { hours: 88_000_000 }, says: 'expected a time in the years 1 to 9999' },
    { parameters: { days: 1, timezone: 'PST' }, says: 'expected an IANA time zone' },
    { parameters: { days: 1, time: 'today' }, says: 'expected ISO 8601' },
    { parameters: { quarters: 1 }, says: 'quarters is not known here' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      expect((await rejection(add('2024-01-01', parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
