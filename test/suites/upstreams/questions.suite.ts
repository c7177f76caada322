import path from 'node:path';
import { expect } from 'chai';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { kernelWith } from '../../plugins/upstreams/kernel-with.ts';
import { inRound } from '../../support/round.ts';
import { askTogether, type Tally } from './questions/ask-together.ts';
import { callers } from './questions/callers.ts';

const count = inRound({ whole: 500, short: 60 });
const seed = Number(process.env['TOOLKIT_QUESTIONS_SEED'] ?? 1);

const asking = (era: '2025' | '2026', more: UpstreamServer = {}): UpstreamServer => ({
  command: process.execPath,
  args: [path.resolve('fixtures/servers/upstreams/asking.mjs'), era],
  ...{ pin: 'first-use', gate: 'none', sampling: true, queue: 1000 },
  ...more,
});

/** Checks that no question and no answer was lost or went to the other one. */
function expectNoneAstray({ own, declined, foreign, others, astray }: Tally): void {
  expect({ sum: own + declined, foreign, others, astray }).to.deep.equal({ sum: count, foreign: 0, others: [], astray: [] });
}

for (const era of ['2025', '2026'] as const)
  describe(`${count} questions to two callers at once, over a client of ${era}`, function () {
    this.timeout(600_000);

    const each = {
      'a server of 2026': { server: asking('2026'), lanes: 3 },
      'a server of 2025 with a process for each caller': {
        server: asking('2025', { perCaller: true }),
        // With several calls of one caller, a client of 2026 has to be asked for the right one.
        lanes: era === '2025' ? 3 : 1,
      },
    };
    for (const [title, { server, lanes }] of Object.entries(each))
      it(`reach each its own: ${title}`, async () => {
        const tally = await askTogether(await kernelWith({ shop: server }), callers[era], { count, seed, lanes });
        expectNoneAstray(tally);
        expect(tally.own).to.equal(count);
      });

    it('never reach the other one where both share a process of 2025, and most are answered by waiting', async () => {
      const tally = await askTogether(await kernelWith({ shop: asking('2025') }), callers[era], { count, seed });
      const { own, ownAfterWaiting, declined } = tally;
      process.stdout.write(`      ${own} answered, ${ownAfterWaiting} of them after waiting; ${declined} declined\n`);
      expectNoneAstray(tally);
      expect(ownAfterWaiting).to.be.at.least(count / 2);
    });
  });

describe('several calls of each caller, whose client answers in another request, with a process of 2025 for each', function () {
  this.timeout(600_000);

  it('are asked one by one after the first questions, and none is asked for another call', async () => {
    const server = asking('2025', { perCaller: true });
    const tally = await askTogether(await kernelWith({ shop: server }), callers['2026'], { count, seed });
    process.stdout.write(`      ${tally.own} answered; ${tally.declined} declined\n`);
    expectNoneAstray(tally);
    expect(tally.declined).to.be.at.most(12);
  });
});
