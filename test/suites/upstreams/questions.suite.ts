import path from 'node:path';
import { expect } from 'chai';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { kernelWith } from '../../plugins/upstreams/kernel-with.ts';
import { inRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';
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

describe('a question with an end of its own', () => {
  it('is declined without a call in progress, and else asked for one of the same caller', async () => {
    const kernel = await kernelWith({ shop: asking('2025') });
    const ada = await callers['2025'](kernel, 'ada');
    await ada.call('shop_ask_late', { who: 'ada' });
    // The answer to the late question is there before the next call asks for it, or while that runs: then it is the question of that call.
    const [outcome] = await ada.call('shop_outcome', {});
    expect(outcome?.action).to.be.oneOf(ada.asked.length === 0 ? ['decline'] : ['accept']);
  });

  for (const [title, more] of [
    ['a shared process', {}],
    ['a process for each caller', { perCaller: true }],
  ] as const)
    it(`is withdrawn from a caller who leaves in the middle of it, and reaches no other one: ${title}`, async () => {
      const kernel = await kernelWith({ shop: asking('2025', more) });
      const left = new AbortController();
      const ada = await callers['2025'](kernel, 'ada', () => new Promise(() => {}));
      const bob = await callers['2025'](kernel, 'bob');
      const gone = ada.call('shop_ask', { who: 'ada' }, left.signal).then(
        () => 'answered',
        () => 'left',
      );
      await until(() => ada.asked[0]);
      const outcomes: string[] = [];
      left.abort(new Error('ada leaves'));
      for (let count = 0; count < 10; count++) {
        const [outcome] = await bob.call('shop_ask', { who: 'bob' });
        outcomes.push(`${outcome?.action} ${outcome?.answer}`);
      }
      expect(await gone).to.equal('left');
      expect(ada.asked).to.deep.equal(['Who is ada?']);
      expect(bob.asked.filter((question) => question !== 'Who is bob?')).to.deep.equal([]);
      // Only while both calls run, or the server may still ask for the one that was given up, is it not certain whose call asks.
      expect(outcomes.filter((outcome) => outcome !== 'accept bob' && outcome !== 'decline null')).to.deep.equal([]);
      expect(outcomes.slice(-5)).to.deep.equal(Array(5).fill('accept bob'));
    });

  it('is not asked for a call that was cancelled while it waited', async () => {
    const kernel = await kernelWith({ shop: asking('2025', { concurrency: 1 }) });
    const left = new AbortController();
    const ada = await callers['2025'](kernel, 'ada', async () => {
      // Bob's call waits for its turn now.
      const waits = bob.call('shop_ask', { who: 'bob' }, left.signal).catch(() => [{ action: 'cancel', answer: null }] as const);
      left.abort(new Error('bob leaves'));
      await waits;
    });
    const bob = await callers['2025'](kernel, 'bob');
    expect(await ada.call('shop_ask', { who: 'ada' })).to.deep.equal([{ action: 'accept', answer: 'ada' }]);
    expect(bob.asked).to.deep.equal([]);
    expect(await bob.call('shop_ask', { who: 'bob' })).to.deep.equal([{ action: 'accept', answer: 'bob' }]);
  });
});
