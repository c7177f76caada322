import { expect } from 'chai';
import { apiVersion, type DurableHandle, definePlugin, type Kernel, type Plugin, type StateStore } from '../../kernel/index.ts';
import { approvalGate } from '../../plugins/approval-gate/index.ts';
import { callsOnce } from '../../plugins/calls-once/index.ts';
import { rejection } from './rejection.ts';
import { testKernel } from './test-kernel.ts';
import { until } from './until.ts';

/** A kernel of today with the tools of `fixtures/stores`, defined as there. */
export interface EarlierTools {
  readonly kernel: Kernel;
  readonly store: StateStore;
  /** Parameter `name` of each call that ran here. */
  readonly effects: readonly string[];
}

export async function earlierTools(store: StateStore, engine: Plugin): Promise<EarlierTools> {
  const effects: string[] = [];
  const tool = (name: string, more: object = {}) => ({
    name,
    description: 'Does something.',
    parameters: { name: { type: 'string' } },
    risk: 'medium',
    ...more,
    execution: {
      type: 'function',
      timeout_ms: 600_000,
      handler: ({ name: effect }: { readonly name: string }) => {
        effects.push(effect);
        return { done: effect };
      },
    },
  });
  const kernel = await testKernel({
    plugins: [
      definePlugin({ name: 'state-store', apiVersion, apply: ({ extend }) => extend.stateStore(store) })(),
      callsOnce(),
      approvalGate({ mode: 'elicit' }),
      engine,
    ],
    tools: [
      tool('act_plain'),
      tool('act_reading', { risk: 'low', annotations: { readOnlyHint: true } }),
      tool('act_repeatable', { annotations: { idempotentHint: true } }),
      tool('act_approved', { requires_approval: true }),
    ],
  });
  return { kernel, store, effects };
}

const caller = 'ada';

interface EarlierStoreCheck {
  readonly title: string;
  run(): Promise<void>;
}

/** Returns the checks that a store of an earlier version passes. `open`: a kernel on such a store, in which nothing runs yet. */
export function earlierStoreChecks(open: () => Promise<EarlierTools>): readonly EarlierStoreCheck[] {
  const handle = ({ kernel }: EarlierTools, id: string, of = caller): Promise<DurableHandle> => kernel.calls.get(id, { caller: of });
  const result = async (tools: EarlierTools, id: string, of?: string): Promise<unknown> => (await handle(tools, id, of)).result();
  const check = (title: string, run: (tools: EarlierTools) => Promise<void>): EarlierStoreCheck => ({
    title,
    run: async () => run(await open()),
  });
  /** After the engine has begun to work, which takes calls of other engines on. */
  const whileWorking = (title: string, run: (tools: EarlierTools) => Promise<void>): EarlierStoreCheck =>
    check(title, async (tools) => {
      await tools.kernel.calls.work({ concurrency: 4 });
      await run(tools);
    });
  return [
    whileWorking('has readable results and errors', async (tools) => {
      expect(await result(tools, 'completed')).to.deep.equal({ done: 'completed' });
      expect(await result(tools, 'large')).to.deep.equal({ done: 'x'.repeat(6000) });
      await rejection(result(tools, 'refused'), 'BAD_REQUEST');
      await rejection(result(tools, 'failed'), 'EXECUTION_FAILED');
      await rejection(result(tools, 'failed unknown'), 'OUTCOME_UNKNOWN');
    }),
    whileWorking('has waiting calls, each of which runs once', async (tools) => {
      for (const id of ['waiting', 'waiting reading', 'later']) expect(await result(tools, id)).to.deep.equal({ done: id });
      expect(await result(tools, 'nightly 2026-11-27T02:00:00.000Z', 'schedule')).to.deep.equal({ done: 'nightly' });
      expect(tools.effects).to.include.members(['waiting', 'waiting reading', 'later', 'nightly']);
      expect(tools.effects).to.have.length(new Set(tools.effects).size);
    }),
    whileWorking('has calls of a dead process, which go on unless they might have their effect twice', async (tools) => {
      expect(await result(tools, 'running reading')).to.deep.equal({ done: 'running reading' });
      expect(await result(tools, 'running repeatable')).to.deep.equal({ done: 'running repeatable' });
      await rejection(result(tools, 'running plain'), 'OUTCOME_UNKNOWN');
      expect(tools.effects).to.not.include('running plain');
    }),
    // The answer to the earlier question is bound to less than one of today: the same call asks once more.
    whileWorking('has a call that waits for a person, asks in the form of today, and runs after that answer', async (tools) => {
      const { calls } = tools.kernel;
      const approved = await handle(tools, 'approved');
      const earlier = (await approved.call()).question ?? expect.fail('it asks nothing');
      await calls.answer('approved', { caller, approve: true, by: 'grace', digest: earlier.digest });
      const asked = await until(async () => {
        const { question } = await approved.call();
        return question?.digest === earlier.digest ? undefined : question;
      });
      expect(tools.effects).to.not.include('approved');
      await calls.answer('approved', { caller, approve: true, by: 'grace', digest: asked.digest });
      expect(await result(tools, 'approved')).to.deep.equal({ done: 'approved' });
      expect(tools.effects).to.include('approved');
    }),
    check('has intents that count', async ({ kernel, effects }) => {
      const once = (tool: string, id: string): Promise<unknown> => kernel.execute(tool, { name: id }, { caller, once: id });
      expect(await once('act_plain', 'once done')).to.deep.equal({ done: 'once done' });
      await rejection(once('act_plain', 'failed once'), 'OUTCOME_UNKNOWN');
      await rejection(once('act_plain', 'running once plain'), 'OUTCOME_UNKNOWN');
      expect(effects).to.deep.equal([]);
      expect(await once('act_repeatable', 'running once repeatable')).to.deep.equal({ done: 'running once repeatable' });
      expect(effects).to.deep.equal(['running once repeatable']);
    }),
    whileWorking('has nothing left in an earlier form', async ({ store }) => {
      const keys = (await store.list('engine-')).map(({ key }) => key);
      const isEarlier = (key: string): boolean => /^engine-(dbos\/(?!tables$)|local\/(running\/|queue\/\d{15}\/))/.test(key);
      expect(keys.filter(isEarlier)).to.deep.equal([]);
      expect(keys.filter((key) => key.startsWith('engine-local/call/'))).to.have.length(13);
    }),
  ];
}
