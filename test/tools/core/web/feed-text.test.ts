import { expect } from 'chai';
import { isoTime } from '../../../../tools/core/web/feed-text.ts';

describe('the time of an entry of a feed', () => {
  const cases = [
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31 10:00:00', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.25+01:00', '2026-01-31T09:00:00.250Z'],
    ['2026-01-31T10:00:00-0530', '2026-01-31T15:30:00.000Z'],
    ['2026-01-31t10:00:00z', '2026-01-31T10:00:00.000Z'],
    ['Sat, 31 Jan 2026 10:00:00 GMT', '2026-01-31T10:00:00.000Z'],
    ['Saturday, 31 January 2026 10:00:00 +0100', '2026-01-31T09:00:00.000Z'],
    ['31 Jan 2026 10:00 PST', '2026-01-31T18:00:00.000Z'],
    ['31 Jan 26', '2026-01-31T00:00:00.000Z'],
    ['Sat, 31 Jan 2026 10:00:00', '2026-01-31T10:00:00.000Z'],
  ] as const;
  for (const [written, expected] of cases) {
    it(`is ${expected} for "${written}"`, () => expect(isoTime(written)).to.equal(expected));
  }

  for (const written of ['', 'Episode 5', 'yesterday', '2026-13-01', '31 Foo 2026', '31 Jan 2026 10:00 XYZ', '2026']) {
    it(`stays "${written}", which is none`, () => expect(isoTime(written)).to.equal(written));
  }
});
