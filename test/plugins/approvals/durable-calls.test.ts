import { expect } from 'chai';
import sinon from 'sinon';
import {
  type ApprovalRecord,
  apiVersion,
  type DurableCall,
  definePlugin,
  type Kernel,
  type Plugin,
  ToolkitError,
} from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import type { ApprovalsOptions } from '../../../plugins/approvals/options.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { rejection } from '../../support/rejection.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { until } from '../../support/until.ts';

const ann = { way: 'webhook', name: 'ann' } as const;

interface World {
  readonly kernel: Kernel;
  readonly effects: unknown[];
}

/** A kernel with a tool that needs a person. `work`: runs in the tool. */
async function world(work: () => unknown = () => 'done', options: ApprovalsOptions = {}, more: readonly Plugin[] = []): Promise<World> {
  const effects: unknown[] = [];
  const handler = (parameters: unknown): unknown => {
    effects.push(parameters);
    return work();
  };
  const act = { ...echoTool(), name: 'act', risk: 'medium', requires_approval: true, execution: { type: 'function', handler } };
  const plugins = [approvalGate({ mode: 'elicit' }), approvals(options), callsOnce(), engineLocal(), ...more];
  return { kernel: await testKernel({ tools: [act], plugins }), effects };
}

const submit = ({ kernel }: World, id = 'order-1') =>
  kernel.execute('act', { text: 'a' }, { durable: true, id, origin: 'model', caller: 'bob' });

const call = async ({ kernel }: World, id = 'order-1'): Promise<DurableCall> => (await kernel.calls.get(id, { caller: 'bob' })).call();

/** The call, once it has this status. */
const once = (world: World, status: DurableCall['status'], id = 'order-1'): Promise<DurableCall> =>
  until(async () => {
    const found = await call(world, id);
    return found.status === status ? found : undefined;
  });

/** Submits the call. Resolves to its question and its record, once a person is asked. */
async function asked(world: World, id = 'order-1'): Promise<{ readonly digest: string; readonly record: string }> {
  await submit(world, id);
  return question(world, id);
}

async function question(world: World, id = 'order-1'): Promise<{ readonly digest: string; readonly record: string }> {
  const { question: open } = await once(world, 'asked', id);
  return { digest: open?.digest ?? '', record: open?.record ?? '' };
}

const record = ({ kernel }: World, id: string): Promise<ApprovalRecord> => kernel.approvals.get(id);

const status = async (world: World, id: string): Promise<string> => (await record(world, id)).status;

describe('a durable call that needs a person', () => {
  it('has one record, named like its question', async () => {
    const known = await world();
    const { record: id } = await asked(known);
    expect((await call(known)).approval).to.equal(id);
    expect(await record(known, id)).to.deep.include({ status: 'waiting', once: 'order-1', caller: 'bob', tool: 'act', count: 1 });
    expect((await known.kernel.approvals.list()).approvals).to.have.length(1);
  });

  const ways: Readonly<Record<string, (world: World, question: { digest: string; record: string }) => Promise<unknown>>> = {
    'its record': ({ kernel }, { record: id }) => kernel.approvals.decide(id, { approve: true, by: ann }),
    'the call': ({ kernel }, { digest }) =>
      kernel.calls.answer('order-1', { caller: 'bob', approve: true, by: 'ann', way: 'webhook', digest }),
  };
  for (const [what, approve] of Object.entries(ways))
    it(`runs once when a person approves ${what}`, async () => {
      const known = await world();
      const open = await asked(known);
      await approve(known, open);
      const { decisions, approval } = await once(known, 'completed');
      expect(decisions).to.have.length(1);
      expect(decisions[0]).to.include({ approve: true, by: 'ann', way: 'webhook', record: open.record });
      expect(approval).to.equal(open.record);
      expect(known.effects).to.have.length(1);
      const { status: ended, decisions: recorded } = await record(known, open.record);
      expect([ended, recorded.map(({ by }) => by)]).to.deep.equal(['used', [ann]]);
    });

  it('fails with the decider and the reason', async () => {
    const known = await world();
    const { record: id } = await asked(known);
    await known.kernel.approvals.decide(id, { approve: false, by: ann, reason: 'too much' });
    const { error, decisions } = await once(known, 'failed');
    expect(error).to.deep.equal({ code: 'APPROVAL_DENIED', message: '"act" was not approved by ann (webhook): too much' });
    expect(decisions[0]).to.include({ approve: false, by: 'ann', way: 'webhook', reason: 'too much' });
    expect(known.effects).to.deep.equal([]);
  });

  it('fails when nobody decides in time', async () => {
    const known = await world(() => 'done', { ttlMs: 3_600_000 });
    const { record: id } = await asked(known);
    const { expiresAt } = await record(known, id);
    const clock = sinon.useFakeTimers({ toFake: ['Date'], now: expiresAt, shouldClearNativeTimers: true });
    // A decision that comes too late ends it, as a sweep does in a server.
    await rejection(known.kernel.approvals.decide(id, { approve: true, by: ann }), 'INVALID_PARAMETERS').finally(() => clock.restore());
    const { error } = await once(known, 'failed');
    expect(error?.code).to.equal('APPROVAL_DENIED');
    expect(error?.message).to.include('nobody decided in time');
    expect([await status(known, id), known.effects]).to.deep.equal(['expired', []]);
  });

  it('takes its question back when it is cancelled', async () => {
    const known = await world();
    const { record: id } = await asked(known);
    await known.kernel.calls.cancel('order-1', { caller: 'bob' });
    const { status: ended, ended: why } = await record(known, id);
    expect([ended, why]).to.deep.equal(['withdrawn', 'its durable call was cancelled']);
    await rejection(known.kernel.approvals.decide(id, { approve: true, by: ann }), 'INVALID_PARAMETERS');
    expect([(await call(known)).status, known.effects]).to.deep.equal(['cancelled', []]);
  });

  const again: Readonly<Record<string, (world: World, record: string) => Promise<unknown>>> = {
    'was refused': async (known, id) => {
      await known.kernel.approvals.decide(id, { approve: false, by: ann });
      return once(known, 'failed');
    },
    'was approved, and failed': async (known, id) => {
      await known.kernel.approvals.decide(id, { approve: true, by: ann });
      return once(known, 'unknown');
    },
    'was cancelled': ({ kernel }) => kernel.calls.cancel('order-1', { caller: 'bob' }),
  };
  for (const repeatEffect of [false, true])
    for (const [what, end] of Object.entries(again))
      it(`is a new question when it ${what}, and is retried${repeatEffect ? ', for another effect' : ''}`, async () => {
        const known = await world(() => {
          throw new Error('It broke.');
        });
        const first = await asked(known);
        await end(known, first.record);
        const runs = known.effects.length;
        await known.kernel.calls.retry('order-1', { caller: 'bob', repeatEffect });
        const second = await question(known);
        expect(second.record).to.not.equal(first.record);
        expect([await status(known, second.record), known.effects.length]).to.deep.equal(['waiting', runs]);
        await known.kernel.approvals.decide(second.record, { approve: true, by: ann });
        expect((await once(known, 'unknown')).decisions).to.have.length(1);
      });

  it('is not asked about again when it repeats itself', async () => {
    let runs = 0;
    const known = await world(() => {
      runs++;
      if (runs === 1) throw new ToolkitError('UPSTREAM_UNAVAILABLE', 'Not now.', { retryAfterMs: 1 });
      return 'done';
    });
    const { record: id } = await asked(known);
    await known.kernel.approvals.decide(id, { approve: true, by: ann });
    await until(async () => (['completed', 'unknown'].includes((await call(known)).status) ? true : undefined));
    expect((await known.kernel.approvals.list()).approvals).to.have.length(1);
    expect(await status(known, id)).to.equal('used');
  });

  it('goes on asking until enough have approved', async () => {
    const known = await world(() => 'done', { approvers: 2, libraryNames: ['ann', 'bob'] });
    const { record: id, digest } = await asked(known);
    const answer = (by: string): Promise<DurableCall> =>
      known.kernel.calls.answer('order-1', { caller: 'bob', approve: true, by, way: 'command line', digest });
    expect((await answer('ann')).status).to.equal('asked');
    expect((await rejection(answer('ann'), 'INVALID_PARAMETERS')).message).to.include('different approvers');
    expect((await rejection(answer('bob'), 'INVALID_PARAMETERS')).message).to.include('the caller "bob" cannot be one');
    expect(known.effects).to.deep.equal([]);
    await answer('cleo');
    await once(known, 'completed');
    expect([await status(known, id), known.effects.length]).to.deep.equal(['used', 1]);
  });

  it('tells one of two deciders who was first', async () => {
    const known = await world();
    const { record: id, digest } = await asked(known);
    await known.kernel.approvals.decide(id, { approve: false, by: ann });
    const late = known.kernel.calls.answer('order-1', { caller: 'bob', approve: true, by: 'cleo', digest });
    expect((await rejection(late, 'INVALID_PARAMETERS')).message).to.include('ann has refused it');
  });

  it('hears of a decision that came while it was about to ask', async () => {
    let decide: (id: string) => Promise<unknown> = async () => undefined;
    const early = definePlugin({
      name: 'early',
      apiVersion,
      // Runs after the question was handed to the engine, before that has stored it.
      apply: ({ hooks }) =>
        hooks.settled.tapPromise('early', async ({ outcome }) => {
          if (outcome.type === 'failed' && outcome.error.code === 'APPROVAL_REQUIRED') await decide(String(outcome.error.details.approval));
        }),
    })();
    const known = await world(() => 'done', {}, [early]);
    decide = (id) => known.kernel.approvals.decide(id, { approve: true, by: ann });
    await submit(known);
    const { approval } = await once(known, 'completed');
    expect([await status(known, approval ?? ''), known.effects.length]).to.deep.equal(['used', 1]);
  });

  it('is woken when its question is about its second effect', async () => {
    const known = await world();
    await asked(known, 'a');
    await known.kernel.calls.cancel('a', { caller: 'bob' });
    await known.kernel.calls.retry('a', { caller: 'bob', repeatEffect: true });
    const { record: id } = await question(known, 'a');
    expect((await record(known, id)).once).to.equal('durable call 2 a');
    await known.kernel.approvals.decide(id, { approve: true, by: ann });
    await once(known, 'completed', 'a');
    expect(known.effects).to.have.length(1);
  });
});
