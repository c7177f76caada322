import path from 'node:path';
import { expect } from 'chai';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { kernelWith } from '../../plugins/upstreams/kernel-with.ts';
import { inRound } from '../../support/round.ts';
import { askTogether } from './questions/ask-together.ts';
import { callers } from './questions/callers.ts';

const count = inRound({ whole: 500, short: 60 });
const seed = Number(process.env['TOOLKIT_QUESTIONS_SEED'] ?? 1);

const asking = (era: '2025' | '2026', more: UpstreamServer = {}): UpstreamServer => ({
  command: process.execPath,
  args: [path.resolve('fixtures/servers/upstreams/asking.mjs'), era],
  ...{ pin: 'first-use', gate: 'none', sampling: true, queue: 1000 },
  ...more,
});

for (const era of ['2025', '2026'] as const)
  describe(`${count} questions to two callers at once, over a client of ${era}`, function () {
    this.timeout(300_000);

    const each = {
      'a server of 2026': asking('2026'),
      'a server of 2025 with a process for each caller': asking('2025', { perCaller: true }),
    };
    for (const [title, server] of Object.entries(each))
      it(`reach each its own: ${title}`, async () => {
        const tally = await askTogether(await kernelWith({ shop: server }), callers[era], { count, seed });
        const { ownAfterWaiting: _, ...rest } = tally;
        expect(rest).to.deep.equal({ own: count, declined: 0, foreign: 0, others: [], astray: [] });
      });

    it('never reach the other one where both share a process of 2025, and most are answered by waiting', async () => {
      const tally = await askTogether(await kernelWith({ shop: asking('2025') }), callers[era], { count, seed });
      const { own, ownAfterWaiting, declined, ...rest } = tally;
      process.stdout.write(`      ${own} answered, ${ownAfterWaiting} of them after waiting; ${declined} declined\n`);
      expect({ sum: own + declined, ...rest }).to.deep.equal({ sum: count, foreign: 0, others: [], astray: [] });
      expect(ownAfterWaiting).to.be.at.least(count / 2);
    });
  });
