import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../../support/rejection.ts';
import { everyNth } from '../../../support/round.ts';
import { pythonTimes, timesAroundChanges, zones } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Converted {
  readonly iso: string;
  readonly offset: string;
  readonly note?: string;
}

describe('time_convert_timezone', () => {
  const convert = sharedTool<Converted>('time_convert_timezone');

  it('gives what zoneinfo gives around every change of the clocks', async () => {
    const times = timesAroundChanges();
    expect(times.length).to.be.greaterThan(1500);
    const wrong = [];
    // 13 times for each change.
    for (const { zone, local, utc } of everyNth(times, 5)) {
      const { iso } = await convert({ time: local, from: zone, to: 'UTC' });
      if (iso !== utc) wrong.push({ zone, local, utc, iso });
    }
    expect(wrong).to.deep.equal([]);
  });

  it('gives what zoneinfo shows on the clocks of every zone from 1971 to 2021', async () => {
    const program = [
      'moments = [datetime(1971, 1, 1, 3, 7, tzinfo=utc) + timedelta(days=153.37 * n) for n in range(120)]',
      'moments = [m.replace(second=0, microsecond=0) for m in moments]',
      'result = [[z, m.isoformat(), iso(m.astimezone(ZoneInfo(z)))] for z in given for m in moments]',
    ].join('\n');
    const wrong = [];
    for (const [to, time, expected] of everyNth(pythonTimes<[string, string, string][]>(program, zones), 7)) {
      const { iso, offset } = await convert({ time, to });
      if (iso !== expected || !iso.endsWith(offset)) wrong.push({ to, time, expected, iso });
    }
    expect(wrong).to.deep.equal([]);
  });

  const noted = [
    {
      what: 'moves a time that the clocks skip forward',
      parameters: { time: '2024-03-31T02:30', from: 'Europe/Berlin', to: 'Europe/Berlin' },
      iso: '2024-03-31T03:30:00.000+02:00',
      note: '2024-03-31 02:30 does not exist in Europe/Berlin: the clocks go forward there. 03:30 +02:00 is taken.',
    },
    {
      what: 'takes the first of two times that look the same',
      parameters: { time: '2024-10-27T02:30', from: 'Europe/Berlin', to: 'Europe/Berlin' },
      iso: '2024-10-27T02:30:00.000+02:00',
      note: '2024-10-27 02:30 comes twice in Europe/Berlin: the clocks go back there. The first, with +02:00, is taken.',
    },
    {
      what: 'takes the second of them where the offset says so',
      parameters: { time: '2024-10-27T02:30+01:00', from: 'Europe/Berlin', to: 'Europe/Berlin' },
      iso: '2024-10-27T02:30:00.000+01:00',
    },
    {
      what: 'moves a day that a zone skipped to the next one',
      parameters: { time: '2011-12-30T12:00', from: 'Pacific/Apia', to: 'Pacific/Apia' },
      iso: '2011-12-31T12:00:00.000+14:00',
      note: '2011-12-30 12:00 does not exist in Pacific/Apia: the clocks go forward there. 12:00 +14:00 is taken.',
    },
    {
      what: 'says that an offset had seconds',
      parameters: { time: '1850-01-01T12:00:00Z', to: 'Europe/Berlin' },
      iso: '1850-01-01T12:53:28.000+00:53',
      note: 'The offset was +00:53:28; iso shows it without its seconds.',
    },
  ];
  for (const { what, parameters, iso, note } of noted) {
    it(what, async () => {
      const converted = await convert(parameters);
      expect({ iso: converted.iso, note: converted.note }).to.deep.equal({ iso, note });
    });
  }

  it('does not depend on the season in which it is asked', async () => {
    // What luxon alone makes of a time that comes twice depends on the clock.
    const given = { time: '2024-10-27T02:30', from: 'Europe/Berlin', to: 'UTC' };
    for (const now of ['2024-01-15', '2024-07-15']) {
      sinon.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
      expect((await convert(given)).iso).to.equal('2024-10-27T00:30:00.000Z');
      sinon.restore();
    }
  });

  const withoutOffset = new Set<string>(['2024-02-29', '2024-02-29T10']);
  const forms = [
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T10', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29t10:00:00z', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29 10:00:00 +0130', '2024-02-29T08:30:00.000Z'],
    ['20240229T100000,5Z', '2024-02-29T10:00:00.500Z'],
    ['2024-W09-4T24:00Z', '2024-03-01T00:00:00.000Z'],
    ['2024-060T00:00-12', '2024-02-29T12:00:00.000Z'],
    [' 2024-02-29T10:00:00.123456789Z ', '2024-02-29T10:00:00.123Z'],
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const;
  for (const [time, iso] of forms) {
    it(`reads ${JSON.stringify(time)}`, async () => {
      const from = withoutOffset.has(time) ? { from: 'UTC' } : {};
      expect(await convert({ time, to: 'UTC', ...from })).to.deep.equal({ iso, offset: '+00:00' });
    });
  }

  const refused = [
    {
      parameters: { time: '2024-06-01T14:00', to: 'UTC' },
      path: 'from',
      says: 'is needed, because the time "2024-06-01T14:00" has no offset',
    },
    { parameters: { time: '2024-06-01T14:00Z', from: 'Europe/Berlin', to: 'UTC' }, path: 'from', says: 'where the offset is +02:00 then' },
    { parameters: { time: '2024-02-30', from: 'UTC', to: 'UTC' }, path: 'time', says: 'in which there is no day 30' },
    { parameters: { time: '2023-02-29T10:00Z', to: 'UTC' }, path: 'time', says: 'in which there is no day 29' },
    { parameters: { time: '2024-02-29T25:00Z', to: 'UTC' }, path: 'time', says: 'in which there is no hour 25' },
    { parameters: { time: '2024-02-29T10:00+24:00', to: 'UTC' }, path: 'time', says: 'expected an offset up to 23:59, received "+24:00"' },
    {
      parameters: { time: '14:00', from: 'UTC', to: 'UTC' },
      path: 'time',
      says: 'expected ISO 8601 such as 2024-02-29T10:00:00+01:00, received "14:00"',
    },
    { parameters: { time: 'heute um drei 時', from: 'UTC', to: 'UTC' }, path: 'time', says: 'time_parse reads other forms' },
    { parameters: { time: '9999-12-31T23:00Z', to: 'Europe/Berlin' }, path: 'time', says: 'expected a time in the years 1 to 9999' },
    { parameters: { time: '0001-01-01T00:00Z', to: 'America/New_York' }, path: 'time', says: 'expected a time in the years 1 to 9999' },
    { parameters: { time: '0000-01-01T00:00Z', to: 'UTC' }, path: 'time', says: 'expected a time in the years 1 to 9999' },
    { parameters: { to: 'UTC' }, path: 'time', says: 'time is required' },
    { parameters: { time: 'x'.repeat(101), to: 'UTC' }, path: 'time', says: 'received string of 101 characters' },
    { parameters: { time: '2024-01-01T00:00Z', to: '' }, path: 'to', says: 'to expected' },
  ];
  for (const { parameters, path, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      const error = await rejection(convert(parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', path);
    });
  }
});
