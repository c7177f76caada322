import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../../support/rejection.ts';
import { pythonTimes } from './python-times.ts';
import { sharedTool } from './shared-tool.ts';

interface Listed {
  readonly timezones: readonly { readonly name: string; readonly offset: string }[];
}

describe('time_list_timezones', () => {
  const call = sharedTool<Listed>('time_list_timezones');
  const list = async (parameters: Readonly<Record<string, unknown>>): Promise<Listed['timezones']> => (await call(parameters)).timezones;

  afterEach(() => sinon.restore());

  for (const at of ['2020-01-15', '2020-07-15T12:00:00Z']) {
    it(`gives the offsets of zoneinfo for every zone at ${at}`, async () => {
      const listed = await list({ at });
      expect(listed.length).to.be.greaterThan(400);
      const program = [
        'at = datetime.fromisoformat(given["at"].replace("Z", "")).replace(tzinfo=utc)',
        'shown = lambda name: at.astimezone(ZoneInfo(name)).isoformat()[-6:]',
        'result = [{"name": name, "offset": shown(name)} for name in given["names"]]',
      ].join('\n');
      expect(listed).to.deep.equal(pythonTimes(program, { at, names: listed.map(({ name }) => name) }));
    });
  }

  it('lists each zone once, by the name of today, in alphabetical order', async () => {
    const names = (await list({})).map(({ name }) => name);
    expect(names).to.deep.equal([...new Set(names)].sort());
    expect(names).to.include.members(['UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Asia/Ho_Chi_Minh']);
    expect(names).to.not.include.members(['Asia/Calcutta']).and.not.include.members(['Europe/Kiev']);
  });

  it('gives the offsets of now when no moment is given', async () => {
    for (const [now, offset] of [
      ['2024-01-15', '+01:00'],
      ['2024-07-15', '+02:00'],
    ] as const) {
      sinon.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
      expect(await list({ filter: 'Europe/Berlin' })).to.deep.equal([{ name: 'Europe/Berlin', offset }]);
      sinon.restore();
    }
  });

  const filters: readonly { filter: string; names: readonly string[] }[] = [
    { filter: 'berlin', names: ['Europe/Berlin'] },
    { filter: 'NEW YORK', names: ['America/New_York'] },
    { filter: 'São Paulo', names: ['America/Sao_Paulo'] },
    { filter: ' kath ', names: ['Asia/Kathmandu'] },
    { filter: '+05:45', names: ['Asia/Kathmandu'] },
    { filter: '-09:30', names: ['Pacific/Marquesas'] },
    { filter: '+03:17', names: [] },
    { filter: 'Atlantis', names: [] },
    { filter: '東京', names: [] },
  ];
  for (const { filter, names } of filters) {
    it(`finds ${names.join() || 'nothing'} for ${JSON.stringify(filter)}`, async () => {
      expect((await list({ filter, at: '2024-07-01' })).map(({ name }) => name)).to.deep.equal(names);
    });
  }

  for (const [parameters, says] of [
    [{ at: 'soon' }, 'expected ISO 8601'],
    [{ filter: 'x'.repeat(101) }, 'received string of 101 characters'],
    [{ filter: 5 }, 'filter expected string'],
  ] as const) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 30)}`, async () => {
      expect((await rejection(list(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});

describe('a time zone', () => {
  const now = sharedTool<unknown>('time_now');

  it('may have every name that IANA gives it', async () => {
    const names = pythonTimes<string[]>(
      'import zoneinfo\nresult = sorted(zoneinfo.available_timezones() - {"Factory", "localtime"})',
      null,
    );
    expect(names.length).to.be.greaterThan(400);
    for (const timezone of names) expect(await now({ timezone }), timezone).to.include({ timezone });
  });

  const refused = [
    { timezone: 'PST', says: 'Abbreviations can mean several zones: give that of a city.' },
    { timezone: 'IST', says: 'Abbreviations can mean several zones' },
    { timezone: 'CEST', says: 'Abbreviations can mean several zones' },
    { timezone: 'SystemV/PST8', says: 'expected an IANA time zone' },
    { timezone: 'local', says: 'expected an IANA time zone' },
    { timezone: '+05:30', says: 'An offset is no time zone: write it behind the time' },
    { timezone: 'UTC+2', says: 'An offset is no time zone' },
    { timezone: 'Berlin', says: 'Did you mean "Europe/Berlin"?' },
    { timezone: 'New York', says: 'Did you mean "America/New_York"?' },
    { timezone: 'Europe/Berlim', says: 'Did you mean "Europe/Berlin"' },
    { timezone: 'Zürich', says: 'received "Zürich".' },
    { timezone: 'Europe/Berlin; DROP', says: 'received "Europe/Berlin; DROP".' },
  ];
  for (const { timezone, says } of refused) {
    it(`is not ${timezone}`, async () => {
      const error = await rejection(now({ timezone }), 'INVALID_PARAMETERS');
      expect(error.message).to.include('expected an IANA time zone such as Europe/Berlin').and.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', 'timezone');
    });
  }
});
