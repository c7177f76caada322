import { expect } from 'chai';
import { type ApprovalPage, type ApprovalRecord, apiVersion, definePlugin, type PluginApi } from '../../../../kernel/index.ts';
import { approvalEndpoints } from '../../../../plugins/console/endpoints/approvals.ts';
import { type ConsoleFeed, openFeed } from '../../../../plugins/console/feed/feed.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../support/rejection.ts';
import { HeldWorld } from '../../approvals/held-world.ts';

/** Kernels of two processes over one store, the first with a console. */
async function world() {
  const feeds: ConsoleFeed[] = [];
  const apply = (api: PluginApi): void => void feeds.push(openFeed(api));
  const here = await HeldWorld.open({ plugins: [definePlugin({ name: 'feed', apiVersion, apply })()] });
  const there = await here.another();
  const by = { way: 'console', name: 'operator' };
  const services = { kernel: here.kernel, logger: memoryLogger(), now: Date.now };
  const signal = new AbortController().signal;
  const ask = async <T>(name: string, { id = '', query = '', body }: { id?: string; query?: string; body?: unknown } = {}): Promise<T> => {
    const endpoint = approvalEndpoints.find(({ method, path }) => `${method} ${path}` === name);
    const request = { by, values: { id }, query: new URLSearchParams(query), body, signal };
    return (await endpoint?.answer(request, services)) as T;
  };
  const [feed] = feeds;
  if (feed === undefined) throw new Error('no feed');
  const texts = feed.subscribe({ signal, isOpen: async () => true })[Symbol.asyncIterator]();
  return { here, there, ask, texts };
}

describe('the approvals of the console over a store', () => {
  it('are seen when another process asks, and decided once, for what was shown', async () => {
    const { there, ask, texts } = await world();
    const id = await there.held({ amount: 1 });
    let waiting: readonly ApprovalRecord[] = [];
    while (waiting.length === 0) {
      await texts.next();
      waiting = (await ask<ApprovalPage>('GET approvals', { query: 'status=waiting' })).approvals;
    }
    expect(waiting.map((record) => record.id)).to.deep.equal([id]);
    const { digest } = waiting[0] as ApprovalRecord;
    const decide = (body: object): Promise<ApprovalRecord> => ask('POST approvals/{id}/decide', { id, body });
    await rejection(decide({ approve: true, digest: '0'.repeat(64) }), 'INVALID_PARAMETERS');
    const { status, decisions } = await decide({ approve: true, digest });
    expect([status, decisions[0]?.by]).to.deep.equal(['approved', { way: 'console', name: 'operator' }]);
    expect((await rejection(decide({ approve: false, digest }), 'INVALID_PARAMETERS')).message).to.include('is decided');
    expect(await there.pay({ amount: 1 })).to.deep.equal({ paid: 1 });
    expect(there.runs).to.deep.equal([1]);
  });

  it('are decided many at once, beside another approver, each by one of the two', async () => {
    const { there, ask } = await world();
    for (let amount = 1; amount <= 10; amount++) await there.held({ amount });
    const { approvals } = await ask<ApprovalPage>('GET approvals');
    const body = { approve: false, records: approvals.map(({ id, digest }) => ({ id, digest })) };
    const [here, others] = await Promise.all([
      ask<readonly { failure?: string }[]>('POST approvals/decide', { body }),
      there.kernel.approvals.decideMany({}, { approve: true, by: { way: 'library', name: 'ann' } }),
    ]);
    const took = (decided: readonly { failure?: string }[]): number => decided.filter(({ failure }) => failure === undefined).length;
    expect(took(here) + took(others)).to.equal(10);
    const { approvals: after } = await ask<ApprovalPage>('GET approvals');
    expect(after.map(({ decisions }) => decisions.length)).to.deep.equal(Array.from({ length: 10 }, () => 1));
    expect(after.filter(({ status }) => status === 'refused')).to.have.length(took(here));
  });

  it('are asked with other arguments, as a new question with a digest of its own', async () => {
    const { there, ask } = await world();
    const id = await there.held({ amount: 1 });
    const next = await ask<ApprovalRecord>('POST approvals/{id}/change', { id, body: { parameters: { amount: 2 } } });
    const old = await ask<ApprovalRecord>('GET approvals/{id}', { id });
    expect([old.status, next.status, next.shown.parameters]).to.deep.equal(['refused', 'waiting', { amount: 2 }]);
    expect(next.digest).to.not.equal(old.digest);
  });
});
