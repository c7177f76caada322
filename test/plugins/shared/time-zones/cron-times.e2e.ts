import { expect } from 'chai';
import { Cron } from 'croner';
import { IANAZone } from 'luxon';
import { cronTimes, timesOnClocks } from '../../../../plugins/shared/time-zones/cron-times.ts';
import { loadZoneData, zoneSource } from '../../../../plugins/shared/time-zones/named-zone.ts';
import { offsetChanges } from '../../../../plugins/shared/time-zones/offset-changes.ts';

const from = Date.UTC(2023, 11, 1);
const to = Date.UTC(2035, 0, 1);

/** The clocks of a zone of which Node's data and the newest say the same. */
function clocksOf(name: string): Parameters<typeof timesOnClocks>[2] {
  const changes = offsetChanges(loadZoneData(), name, from, to) ?? [];
  const zone = IANAZone.create(name);
  return { offset: (at) => zone.offset(at), nextChange: (at) => changes.find((change) => change.at > at)?.at ?? Number.POSITIVE_INFINITY };
}

const expressions: readonly (readonly [expression: string, isOneTime: boolean])[] = [
  ['30 2 * * *', true],
  ['0 3 * * *', true],
  ['30 1 * * 0', true],
  ['*/30 * * * *', false],
  ['15,45 2 * * *', false],
  ['0 */3 * * *', false],
  ['0 0 1 * *', true],
  ['0 30 2 * * SUN', true],
  ['*/20 30 2 L * *', false],
];

describe('times of a cron expression by clocks that are not those of Intl', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo'])
    for (const [expression, isOneTime] of expressions) {
      it(`are those of the library where the clocks are the same: ${expression} in ${zone}`, () => {
        const library = new Cron(expression, { timezone: zone, mode: '5-or-6-parts' });
        const utc = new Cron(expression, { timezone: 'UTC', mode: '5-or-6-parts' });
        const times = timesOnClocks((after) => utc.nextRun(new Date(after))?.getTime(), isOneTime, clocksOf(zone));
        // Days around the changes of clocks of 2024, and some without.
        for (const day of ['2024-01-10', '2024-03-09', '2024-03-30', '2024-04-06', '2024-10-05', '2024-10-26', '2024-11-02']) {
          let at = Date.parse(`${day}T08:00:00Z`);
          for (let count = 0; count < 60; count++) {
            const expected = library.nextRun(new Date(at))?.getTime();
            expect(times.next(at), new Date(at).toISOString()).to.equal(expected);
            at = expected ?? at;
          }
        }
      });
    }

  it('follow newer rules of a zone', async () => {
    const zones = zoneSource(() => ({ version: '2999a', zones: { 'Europe/Berlin': [['-180', '-', 'X', null]] }, rules: {} }), '2024a');
    const times = await cronTimes('0 12 * * *', await zones.zone('Europe/Berlin'));
    const next = times.next(Date.UTC(2030, 0, 1));
    expect(new Date(next ?? 0).toISOString()).to.equal('2030-01-01T09:00:00.000Z');
  });

  // Which of these are one time of day is the library's to say, however they are written.
  const forms = [
    '52 2 * * *',
    '52-52 2 * * *',
    '52,52 2-2 * * *',
    '52-52 0-16 * * *',
    '0 52 2 * * *',
    '*/20 30 2 * * *',
    '0,30 30 2 * * *',
    '0-0 30 2 * * SUN',
    '@daily',
    '@hourly',
    '30 2,2 L OCT *',
  ];
  for (const expression of forms)
    it(`count a time that clocks show twice as the library does: ${expression}`, async () => {
      const data = loadZoneData();
      const berlin = data.zones['Europe/Berlin'] ?? '';
      // A zone by newer rules, which are those that Intl has of another.
      const zones = zoneSource(() => ({ ...data, version: '2999a', zones: { 'Asia/Tokyo': berlin } }), '2024a');
      const zone = await zones.zone('Asia/Tokyo');
      expect(zone.type).to.equal('newer');
      const times = await cronTimes(expression, zone);
      const library = new Cron(expression, { timezone: 'Europe/Berlin', mode: '5-or-6-parts' });
      for (const day of ['2024-03-30', '2024-10-26', '2025-03-29', '2025-10-25']) {
        let at = Date.parse(`${day}T08:00:00Z`);
        for (let count = 0; count < 30; count++) {
          const expected = library.nextRun(new Date(at))?.getTime();
          expect(times.next(at), new Date(at).toISOString()).to.equal(expected);
          at = expected ?? at;
        }
      }
    });

  it('come to an end', async () => {
    const zones = zoneSource(() => ({ version: '2999a', zones: { 'Europe/Berlin': [['-180', '-', 'X', null]] }, rules: {} }), '2024a');
    expect((await cronTimes('0 0 30 2 *', await zones.zone('Europe/Berlin'))).next(Date.UTC(2030, 0, 1))).to.equal(undefined);
  });
});
