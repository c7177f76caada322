import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { guardOutbound } from '../../../plugins/guard-outbound/index.ts';
import { loopback } from '../../support/loopback.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { UnreliableStore } from './unreliable-store.ts';

/** Key of the intent of a name of the caller `default`. */
const keyOf = (name: string): string =>
  `calls-once/intent/${createHash('sha256')
    .update(JSON.stringify(['default', name]))
    .digest('hex')}`;

const ways: Readonly<Record<'once' | 'durable', (kernel: Kernel, n: number, tool?: string) => Promise<unknown>>> = {
  once: (kernel, n, tool = 'act') => kernel.execute(tool, { n }, { once: 'x' }),
  durable: async (kernel, n, tool = 'act') => (await kernel.execute(tool, { n }, { durable: true, id: 'x' })).result(),
};

describe('a call with "once: x" and a durable call with the id x', () => {
  let effects: number;
  const opened = async (more: object = {}) => {
    effects = 0;
    const store = new MemoryStore(Date.now);
    const handler = ({ n }: { n: number }) => {
      if (++effects === 1 && n === 0) throw new Error('lost');
      return { n, effects };
    };
    const act = (name: string) => ({
      ...echoTool(),
      name,
      parameters: { n: { type: 'number' } },
      risk: 'medium',
      execution: { type: 'function', handler },
      ...more,
    });
    const plugins = [callsOnce(), engineLocal(), new UnreliableStore(store, '/').plugin()];
    return { store, kernel: await testKernel({ tools: [act('act'), act('other')], plugins }) };
  };

  const orders = [
    ['once', 'durable'],
    ['durable', 'once'],
  ] as const;
  for (const [first, second] of orders) {
    it(`have one effect: ${first}, then ${second}`, async () => {
      const { kernel } = await opened();
      for (const way of [first, second]) expect(await ways[way](kernel, 1)).to.deep.equal({ n: 1, effects: 1 });
    });

    for (const [what, n, tool, says] of [
      ['other parameters', 2, 'act', 'with other parameters'],
      ['another tool', 1, 'other', 'of "act"'],
    ] as const)
      it(`are refused with ${what}, by an error that names both: ${first}, then ${second}`, async () => {
        const { kernel } = await opened();
        await ways[first](kernel, 1);
        const { message } = await rejection(ways[second](kernel, n, tool), 'INVALID_PARAMETERS');
        expect(message).to.include(says).and.to.include('"once: x"').and.to.include('durable call').and.to.include('"x"');
        expect(effects).to.equal(1);
      });
  }

  it('have one effect when both are made at the same time', async () => {
    const { kernel } = await opened();
    const results = await Promise.all([ways.once(kernel, 1), ways.durable(kernel, 1), ways.once(kernel, 1)]);
    expect(results).to.deep.equal(Array(3).fill({ n: 1, effects: 1 }));
  });

  /** Moves the intent of `x` to the key under which an earlier version stored that of a durable call. */
  const asBefore = async (store: MemoryStore): Promise<void> => {
    const text = (await store.get(keyOf('x'))) ?? '';
    // Own text: an intent of the test.
    const { attempt, ...intent } = JSON.parse(text) as { attempt: Record<string, unknown> };
    const { sentAs: _sentAs, isTimed: _isTimed, ...before } = attempt;
    await store.set(keyOf('durable call 1 x'), JSON.stringify({ attempt: before, ...intent }));
    await store.delete(keyOf('x'));
  };

  const earlier: readonly { title: string; n: number; more?: object; ends: unknown }[] = [
    { title: 'is found, with its result', n: 1, ends: { n: 1, effects: 1 } },
    { title: 'is found, and stays unknown', n: 0, ends: 'OUTCOME_UNKNOWN' },
    {
      title: 'is found, and may run again where twice is like once',
      n: 0,
      more: { annotations: { idempotentHint: true } },
      ends: { n: 0, effects: 2 },
    },
  ];
  for (const { title, n, more, ends } of earlier)
    it(`the intent of an earlier version ${title}`, async () => {
      const { store, kernel } = await opened(more);
      await ways.once(kernel, n).catch(() => {});
      await asBefore(store);
      const end = await ways.once(kernel, n).catch((error: { code: string }) => error.code);
      expect(end).to.deep.equal(ends);
      expect(await store.get(keyOf('x'))).to.equal(undefined);
    });

  for (const [once, ends] of [
    ['durable call 1 x', 'UPSTREAM_UNAVAILABLE'],
    ['x', 'OUTCOME_UNKNOWN'],
  ] as const)
    it(`run again under the intent of an earlier version only with the header that was sent: ${once}`, async () => {
      const { url, requests } = await loopback((_request, response) => void response.destroy());
      const execution = { type: 'http', method: 'post', url };
      const tool = { name: 'send', description: 'Sends.', risk: 'medium', idempotency: { header: 'Idempotency-Key' }, execution };
      const store = new MemoryStore(Date.now);
      const guard = guardOutbound({ allowHosts: ['127.0.0.1'] });
      const kernel = await testKernel({
        tools: [tool],
        plugins: [callsOnce(), executorHttp(), guard, new UnreliableStore(store, '/').plugin()],
      });
      await rejection(kernel.execute('send', {}, { once: 'durable call 1 x' }), 'UPSTREAM_UNAVAILABLE');
      await asBefore(store);
      await rejection(kernel.execute('send', {}, { once }), ends);
      expect(new Set(requests.map(({ headers }) => headers['idempotency-key']))).to.have.property('size', 1);
      expect(requests).to.have.lengthOf(ends === 'OUTCOME_UNKNOWN' ? 1 : 2);
    });
});
