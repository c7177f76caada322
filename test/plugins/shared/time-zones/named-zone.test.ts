import { expect } from 'chai';
import { DateTime } from 'luxon';
import { loadZoneData, zoneNote, zoneSource } from '../../../../plugins/shared/time-zones/named-zone.ts';
import type { ZoneData } from '../../../../plugins/shared/time-zones/zone-data.ts';

const real = loadZoneData();

/** Data in which Berlin stays on summer time from 2030 on, and Paris is as it is. */
const later: ZoneData = {
  ...real,
  version: '2999a',
  zones: {
    ...real.zones,
    'Europe/Berlin': [
      ['-60', 'EU', 'CE%sT', String(Date.UTC(2030, 3, 1))],
      ['-120', '-', 'CEST', null],
    ],
  },
};

const source = (data: ZoneData = later, version = '2029a') => zoneSource(() => data, version);

const at = (time: string): number => Date.parse(time);

describe('a zone by its name', () => {
  it('is that of Node where its data are as new, or the zone has the same rules', async () => {
    expect((await source(later, '2999a').zone('Europe/Berlin')).type).to.equal('iana');
    expect((await source().zone('Europe/Paris')).type).to.equal('iana');
    expect(zoneNote(await source().zone('Europe/Paris'))).to.equal(undefined);
  });

  it('follows newer rules, and says so', async () => {
    const zone = await source().zone('Europe/Berlin');
    expect(zone.offset(at('2031-01-15T00:00:00Z'))).to.equal(120);
    expect(zone.offset(at('2030-01-15T00:00:00Z'))).to.equal(60);
    expect(zone.offset(at('9999-12-31T00:00:00Z'))).to.equal(120);
    expect(zoneNote(zone)).to.include('Europe/Berlin follow the IANA data 2999a');
  });

  it('is that of Node before the year of its data', async () => {
    const zone = await source().zone('Europe/Berlin');
    const own = DateTime.fromISO('1945-06-01T00:00:00Z', { zone: 'Europe/Berlin' });
    expect(zone.offset(own.toMillis())).to.equal(own.offset).and.to.equal(180);
  });

  it('has one spelling, in whatever case it is asked for, and is looked up once', async () => {
    const zones = source();
    const zone = await zones.zone('EUROPE/berlin');
    expect(zone.name).to.equal('Europe/Berlin');
    expect(await zones.zone('europe/BERLIN')).to.equal(zone);
  });

  const formats: readonly (readonly [format: string, text: string])[] = [
    ['ZZ', '+02:00'],
    ['Z', '+2'],
    ['ZZZ', '+0200'],
    ['ZZZZ', 'GMT+02:00'],
    ['z', 'Europe/Berlin'],
    ["yyyy-MM-dd'T'HH:mm", '2031-01-15T14:00'],
    ['D t', '1/15/2031 2:00 PM'],
  ];
  for (const [format, text] of formats) {
    it(`is written as ${format} by luxon`, async () => {
      const time = DateTime.fromISO('2031-01-15T12:00:00Z', { zone: await source().zone('Europe/Berlin') }).setLocale('en');
      expect(time.toFormat(format).replaceAll('\u202f', ' ')).to.equal(text);
    });
  }

  it('keeps the name of its time where Node shows the same', async () => {
    const time = DateTime.fromISO('2031-07-15T12:00:00Z', { zone: await source().zone('Europe/Berlin') }).setLocale('en');
    expect(time.toFormat('ZZZZZ')).to.equal('Central European Summer Time');
  });
});
