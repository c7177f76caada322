import { expect } from 'chai';
import { loadZoneData, ownVersion } from '../../../../plugins/shared/time-zones/named-zone.ts';
import { coreGroup } from '../../../support/core-group.ts';

const { sharedCoreToolkit } = coreGroup('time');

const isNewer = loadZoneData().version > ownVersion;

/** British Columbia stays on −07:00 from 2026 on, Alberta on −06:00 (IANA data 2026a to 2026d). */
const calls: readonly { readonly tool: string; readonly given: Record<string, unknown>; readonly result: object }[] = [
  {
    tool: 'time_convert_timezone',
    given: { time: '2026-11-15T12:00:00Z', to: 'America/Vancouver' },
    result: { iso: '2026-11-15T05:00:00.000-07:00', offset: '-07:00' },
  },
  {
    tool: 'time_convert_timezone',
    given: { time: '2026-11-15T05:00', from: 'America/Vancouver', to: 'UTC' },
    result: { iso: '2026-11-15T12:00:00.000Z' },
  },
  { tool: 'time_convert_timezone', given: { time: '2027-01-15T12:00:00Z', to: 'america/edmonton' }, result: { offset: '-06:00' } },
  {
    tool: 'time_format',
    given: { time: '2026-11-15T12:00:00Z', format: 'HH:mm ZZ', timezone: 'America/Vancouver' },
    result: { text: '05:00 -07:00' },
  },
  {
    tool: 'time_parse',
    given: { text: 'Sun, 15 Nov 2026 12:00:00 +0000', timezone: 'America/Vancouver' },
    result: { iso: '2026-11-15T05:00:00.000-07:00' },
  },
  {
    tool: 'time_parse',
    given: { text: '15.11.2026 05:00', format: 'dd.MM.yyyy HH:mm', timezone: 'America/Vancouver' },
    result: { iso: '2026-11-15T05:00:00.000-07:00' },
  },
  {
    tool: 'time_add',
    given: { time: '2026-10-31T09:00', timezone: 'America/Vancouver', days: 2 },
    result: { iso: '2026-11-02T09:00:00.000-07:00' },
  },
  {
    tool: 'time_difference',
    given: { start: '2026-10-31T09:00', end: '2026-11-02T09:00', units: ['hours'], timezone: 'America/Vancouver' },
    result: { hours: 48 },
  },
  {
    tool: 'time_next_cron',
    given: { expression: '30 9 * * *', timezone: 'America/Vancouver', after: '2026-10-31T12:00', count: 2 },
    result: { times: ['2026-11-01T09:30:00.000-07:00', '2026-11-02T09:30:00.000-07:00'] },
  },
  {
    tool: 'time_next_cron',
    given: { expression: '*/30 1 * * *', timezone: 'America/Vancouver', after: '2026-11-01T00:00', count: 3 },
    result: { times: ['2026-11-01T01:00:00.000-07:00', '2026-11-01T01:30:00.000-07:00', '2026-11-02T01:00:00.000-07:00'] },
  },
  {
    tool: 'time_list_timezones',
    given: { filter: 'vancouver', at: '2026-11-15T12:00:00Z' },
    result: { timezones: [{ name: 'America/Vancouver', offset: '-07:00' }] },
  },
];

describe('time tools where rules have changed since the data of this Node', () => {
  for (const { tool, given, result } of calls) {
    it(`follow the newest rules, and say so: ${tool} ${JSON.stringify(given)}`, async () => {
      const toolkit = await sharedCoreToolkit();
      const found = (await toolkit.execute(tool, given)) as { readonly note?: string };
      expect(found).to.deep.include(result);
      if (isNewer) expect(found.note).to.match(/The clocks of America\/\w+ follow the IANA data \d{4}[a-z]; those of this Node/);
      else expect(found).to.not.have.property('note');
    });
  }

  it('say so of the time that it is now', async () => {
    const toolkit = await sharedCoreToolkit();
    const { note } = (await toolkit.execute('time_now', { timezone: 'America/Vancouver' })) as { readonly note?: string };
    expect(note !== undefined).to.equal(isNewer);
  });

  it('say nothing of zones whose rules are the same', async () => {
    const toolkit = await sharedCoreToolkit();
    for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Tokyo'])
      expect(await toolkit.execute('time_now', { timezone })).to.not.have.property('note');
    expect(await toolkit.execute('time_list_timezones', { filter: 'europe', at: '2026-11-15T12:00:00Z' })).to.not.have.property('note');
  });
});
