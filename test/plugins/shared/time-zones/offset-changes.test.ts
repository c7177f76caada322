import { expect } from 'chai';
import { IANAZone } from 'luxon';
import { loadZoneData, ownVersion } from '../../../../plugins/shared/time-zones/named-zone.ts';
import { type OffsetChange, offsetChanges } from '../../../../plugins/shared/time-zones/offset-changes.ts';
import type { ZoneData } from '../../../../plugins/shared/time-zones/zone-data.ts';

const iso = (at: number): string => new Date(at).toISOString();

const shown = (changes: readonly OffsetChange[] | undefined): readonly string[] | undefined =>
  changes?.map(({ at, offsetMinutes }) => `${iso(at)} ${offsetMinutes}`);

/** Rules and periods as they are written in the IANA data, in the form of the package. */
const data: ZoneData = {
  version: '2099z',
  zones: {
    'Test/Fixed': [['-330', '-', 'IST', null]],
    'Test/Alias': 'Test/Fixed',
    'Test/Saving': [['0', '1:00', 'X', null]],
    'Test/EU': [['-60', 'EU', 'CE%sT', null]],
    'Test/Stays': [
      ['480', 'US', 'P%sT', String(Date.UTC(2026, 2, 9))],
      ['480', 'US', 'PDT', String(Date.UTC(2026, 10, 1, 2))],
      ['420', '-', 'MST', null],
    ],
    'Test/Moves': [
      ['-120', '-', 'EET', String(Date.UTC(2020, 11, 31))],
      ['-180', '-', 'MSK', null],
    ],
    'Test/South': [['-600', 'South', 'AE%sT', null]],
    'Test/Ended': [['0', 'Ended', 'X', null]],
    'Test/Days': [['0', 'Days', 'X', null]],
  },
  rules: {
    EU: [
      ['1981', 'max', '-', 'Mar', 'lastSun', ['1', '0', '0', 'u'], '60', 'S'],
      ['1996', 'max', '-', 'Oct', 'lastSun', ['1', '0', '0', 'u'], '0', '-'],
    ],
    US: [
      ['2007', 'max', '-', 'Mar', 'Sun>=8', ['2', '0', '0', null], '60', 'D'],
      ['2007', 'max', '-', 'Nov', 'Sun>=1', ['2', '0', '0', null], '0', 'S'],
    ],
    South: [
      ['2008', 'max', '-', 'Apr', 'Sun>=1', ['2', '0', '0', 's'], '0', 'S'],
      ['2008', 'max', '-', 'Oct', 'Sun>=1', ['2', '0', '0', 's'], '60', 'D'],
    ],
    Ended: [
      ['2000', 'only', '-', 'May', '1', ['0', '0', '0', null], '60', 'S'],
      ['2000', 'only', '-', 'Sep', '1', ['24', '0', '0', null], '0', '-'],
      ['2001', '2002', '-', 'May', 'Fri<=1', ['24', '0', '0', null], '60', 'S'],
    ],
    Days: [
      ['2020', 'only', '-', 'Feb', 'lastSat', ['0', '0', '0', null], '60', 'S'],
      ['2020', 'only', '-', 'Mar', 'Mon>=30', ['0', '0', '0', null], '0', '-'],
    ],
  },
};

const cases: readonly {
  readonly name: string;
  readonly years: readonly [number, number];
  readonly changes: readonly string[] | undefined;
}[] = [
  { name: 'Test/Fixed', years: [2024, 2026], changes: ['2024-01-01T00:00:00.000Z 330'] },
  { name: 'Test/Alias', years: [2024, 2026], changes: ['2024-01-01T00:00:00.000Z 330'] },
  { name: 'Test/Saving', years: [2024, 2026], changes: ['2024-01-01T00:00:00.000Z 60'] },
  { name: 'Test/Unknown', years: [2024, 2026], changes: undefined },
  {
    name: 'Test/EU',
    years: [2024, 2025],
    changes: ['2024-01-01T00:00:00.000Z 60', '2024-03-31T01:00:00.000Z 120', '2024-10-27T01:00:00.000Z 60'],
  },
  {
    name: 'Test/Stays',
    years: [2025, 2030],
    changes: [
      '2025-01-01T00:00:00.000Z -480',
      '2025-03-09T10:00:00.000Z -420',
      '2025-11-02T09:00:00.000Z -480',
      '2026-03-08T10:00:00.000Z -420',
    ],
  },
  { name: 'Test/Moves', years: [2019, 2030], changes: ['2019-01-01T00:00:00.000Z 120', '2019-12-31T22:00:00.000Z 180'] },
  {
    name: 'Test/South',
    years: [2024, 2025],
    changes: ['2024-01-01T00:00:00.000Z 660', '2024-04-06T16:00:00.000Z 600', '2024-10-05T16:00:00.000Z 660'],
  },
  { name: 'Test/Ended', years: [2010, 2030], changes: ['2010-01-01T00:00:00.000Z 60'] },
  {
    name: 'Test/Ended',
    years: [2000, 2002],
    changes: ['2000-01-01T00:00:00.000Z 0', '2000-05-01T00:00:00.000Z 60', '2000-09-01T23:00:00.000Z 0', '2001-04-28T00:00:00.000Z 60'],
  },
  {
    name: 'Test/Days',
    years: [2020, 2021],
    changes: ['2020-01-01T00:00:00.000Z 0', '2020-02-29T00:00:00.000Z 60', '2020-03-29T23:00:00.000Z 0'],
  },
];

describe('the changes of offset that the IANA data say', () => {
  for (const { name, years, changes } of cases) {
    it(`are those of ${name} from ${years.join(' to ')}`, () => {
      const [from, to] = years.map((year) => Date.UTC(year, 0, 1)) as [number, number];
      expect(shown(offsetChanges(data, name, from, to))).to.deep.equal(changes);
    });
  }

  it('are those of this Node for every zone, but for what a few newer releases have changed', () => {
    const newest = loadZoneData();
    const from = Date.UTC(2013, 0, 1);
    const to = Date.UTC(2045, 0, 1);
    const since = Date.UTC(Number.parseInt(ownVersion, 10), 0, 1);
    const names = Intl.supportedValuesOf('timeZone');
    const differing = names.flatMap((name): readonly string[] => {
      const zone = IANAZone.create(name);
      const changes = offsetChanges(newest, name, from, to);
      if (changes === undefined) return [`${name} is not known`];
      const [moment] = changes.flatMap(({ at, offsetMinutes }, index) => {
        const end = changes[index + 1]?.at ?? to;
        return [at, (at + end) / 2, end - 1].filter((when) => zone.offset(when) !== offsetMinutes);
      });
      return moment === undefined ? [] : [`${name} ${iso(moment)}`];
    });
    expect(names.length).to.be.greaterThan(400);
    // Corrections of the past are rare; each release has rules of a few zones that are about to change.
    expect(differing.filter((one) => Date.parse(one.split(' ')[1] ?? '') < since).length, differing.join(', ')).to.be.at.most(3);
    expect(differing.length, differing.join(', ')).to.be.at.most(newest.version === ownVersion ? 0 : 20);
  });
});
