import { expect } from 'chai';
import sinon from 'sinon';
import { rejection } from '../../../support/rejection.ts';
import { sharedTool } from './shared-tool.ts';

describe('time_now', () => {
  const now = sharedTool('time_now');
  afterEach(() => sinon.restore());

  const cases = [
    { timezone: undefined, iso: '2024-02-29T23:30:00.000Z', offset: '+00:00', weekday: 'Thursday', shown: 'UTC' },
    { timezone: 'Asia/Tokyo', iso: '2024-03-01T08:30:00.000+09:00', offset: '+09:00', weekday: 'Friday', shown: 'Asia/Tokyo' },
    { timezone: 'Asia/Kathmandu', iso: '2024-03-01T05:15:00.000+05:45', offset: '+05:45', weekday: 'Friday', shown: 'Asia/Kathmandu' },
  ];
  for (const { timezone, iso, offset, weekday, shown } of cases) {
    it(`gives the time in ${shown} on a leap day`, async () => {
      sinon.useFakeTimers({ now: Date.parse('2024-02-29T23:30:00Z'), toFake: ['Date'] });
      const output = await now(timezone === undefined ? {} : { timezone });
      expect(output).to.deep.equal({ iso, unix_seconds: 1709249400, timezone: shown, offset, weekday });
    });
  }

  it('refuses a time zone that does not exist', async () => {
    const error = await rejection(now({ timezone: 'Mars/Olympus' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('expected an IANA time zone').and.to.include('Mars/Olympus');
    await rejection(now({ timezone: 'x'.repeat(101) }), 'INVALID_PARAMETERS');
  });
});
