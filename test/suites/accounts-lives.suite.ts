import { expect } from 'chai';
import { ToolkitError } from '../../kernel/index.ts';
import { inRound } from '../support/round.ts';
import { Services, services } from './accounts/services.ts';
import { figures } from './faults/figures.ts';

const lifeMs = 5000;
/** Lives of a token for which calls go on. */
const lives = inRound({ whole: 24, short: 1 });
/** Calls of each service at the same time. */
const lanes = 2;

describe(`tokens that live for ${lifeMs / 1000} s, by the clock of this machine`, function () {
  this.timeout(600_000);

  // A machine that stands still for longer than a token lives may fail calls, so they are reported alone.
  it(`are used for ${(lives * lifeMs) / 1000} s, each write being done at most once`, async () => {
    const site = await Services.open({ lifeMs });
    const failures = new Map<string, number>();
    let count = 0;
    const lane = async (index: number): Promise<void> => {
      const service = services[index % services.length] ?? 'gmail';
      for (const end = performance.now() + lives * lifeMs; performance.now() < end; ) {
        const name = `${index}-${count++}@example.com`;
        try {
          if (count % 2 === 0) await site.read(service);
          else await site.write(service, name);
        } catch (error) {
          const reason = ToolkitError.is(error) ? `${error.code} ${error.message}` : String(error);
          failures.set(reason, (failures.get(reason) ?? 0) + 1);
        }
      }
    };
    await Promise.all(Array.from({ length: services.length * lanes }, (_, index) => lane(index)));
    const failed = [...failures.values()].reduce((sum, one) => sum + one, 0);
    const refreshes = site.tokens.count('refresh_token');
    figures(`${count} calls, ${refreshes} refreshes, ${site.refusals} refused tokens, ${failed} failed calls, lives of ${lifeMs / 1000} s`);
    for (const [reason, times] of failures) figures(`${times} times: ${reason}`);
    expect(new Set(site.writes).size).to.equal(site.writes.length);
    expect(site.tokens.reuses, 'refresh tokens that were sent twice').to.equal(0);
  });
});
