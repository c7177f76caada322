import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import Type from 'typebox';
import {
  apiVersion,
  type CallClient,
  createKernel,
  definePlugin,
  type Kernel,
  type PluginEntry,
  ToolkitError,
} from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import type { ApprovalsOptions } from '../../../plugins/approvals/options.ts';
import { callsOnce } from '../../../plugins/calls-once/index.ts';
import { engineLocal } from '../../../plugins/engine-local/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';

const ann = { way: 'library', name: 'ann' } as const;

interface World {
  readonly kernel: Kernel;
  readonly paid: unknown[];
  pay(parameters: Record<string, unknown>, client?: CallClient): Promise<unknown>;
}

describe('approval records', () => {
  let kernel: Kernel | undefined;

  afterEach(async () => {
    await kernel?.close();
    kernel = undefined;
  });

  async function world(options: ApprovalsOptions = {}, more: readonly PluginEntry[] = []): Promise<World> {
    const paid: unknown[] = [];
    const bank = definePlugin({
      name: 'bank',
      apiVersion,
      apply({ hooks, extend }) {
        extend.execution('pay', {
          schema: Type.Object({}),
          // The call itself changes what its approval is bound to.
          identify: () => ({ content: { shown: `${paid.length} payments` } }),
        });
        hooks.discover.tap('bank', (sink) => {
          sink.addTool({
            name: 'pay',
            description: 'Pays',
            parameters: { to: { type: 'string', required: true }, sum: { type: 'number' } },
            requires_approval: true,
            execution: { type: 'pay' },
          });
        });
        hooks.discover.tap('reads', (sink) => {
          sink.addTool({
            name: 'balance',
            description: 'Reads',
            annotations: { readOnlyHint: true },
            requires_approval: true,
            execution: { type: 'pay' },
          });
        });
        hooks.execute.for('pay').tap('bank', ({ parameters }) => {
          paid.push(parameters);
          return { output: { receipt: paid.length } };
        });
      },
    });
    kernel = await createKernel({
      plugins: [bank(), approvalGate({ mode: 'elicit' }), approvals(options), callsOnce(), ...more],
      logger: memoryLogger(),
    });
    const used = kernel;
    return {
      kernel: used,
      paid,
      pay: async (parameters, client = {}) => (await used.call({ tool: 'pay', parameters, caller: 'bob', origin: 'model', client })).output,
    };
  }

  async function refusal(call: Promise<unknown>): Promise<ToolkitError> {
    const error: unknown = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!ToolkitError.is(error)) throw new Error('The call was not refused.');
    return error;
  }

  it('keep a call that nobody could be asked about, and let the next equal call run once after a yes', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
      paid,
    } = await world();
    const error = await refusal(pay({ to: 'ada', sum: 5 }));
    expect(error.code).to.equal('APPROVAL_REQUIRED');
    const id = String(error.details['approval']);
    expect((await inbox.get(id)).shown.parameters).to.deep.equal({ to: 'ada', sum: 5 });
    await inbox.decide(id, { approve: true, by: ann });
    expect(paid).to.deep.equal([]);
    expect(await pay({ sum: 5, to: 'ada' })).to.deep.equal({ receipt: 1 });
    expect((await inbox.get(id)).status).to.equal('used');
    expect((await refusal(pay({ to: 'ada', sum: 5 }))).details['approval']).to.not.equal(id);
    expect(paid).to.have.lengthOf(1);
  });

  it('run an approved call as a durable call where an engine is, and give its result to the next equal call', async () => {
    const {
      kernel: { approvals: inbox, calls },
      pay,
      paid,
    } = await world({}, [engineLocal()]);
    const id = String((await refusal(pay({ to: 'ada' }))).details['approval']);
    await inbox.decide(id, { approve: true, by: ann });
    expect(await (await calls.get(id, { caller: 'bob' })).result()).to.deep.equal({ receipt: 1 });
    expect(await pay({ to: 'ada' })).to.deep.equal({ receipt: 1 });
    expect(paid).to.have.lengthOf(1);
    expect((await inbox.get(id)).status).to.equal('used');
  });

  it('run a call that waits at its client when another person approves it', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
      paid,
    } = await world();
    let tell: (signal: AbortSignal | undefined) => void = () => {};
    const asked = new Promise<AbortSignal | undefined>((resolve) => {
      tell = resolve;
    });
    const client: CallClient = {
      elicit: (_question, signal) => {
        tell(signal);
        return new Promise(() => {});
      },
    };
    const paying = pay({ to: 'ada' }, client);
    const signal = await asked;
    const [waiting] = (await inbox.list({ status: 'waiting' })).approvals;
    await inbox.decide(waiting?.id ?? '', { approve: true, by: ann });
    expect(await paying).to.deep.equal({ receipt: 1 });
    expect(signal?.aborted).to.equal(true);
    expect(paid).to.have.lengthOf(1);
  });

  it('give equal calls that wait together one question, one run and the same result', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
      paid,
    } = await world({ waitMs: 60_000 });
    const calls = [pay({ to: 'ada' }), pay({ to: 'ada' }), pay({ to: 'ada' })];
    let record = (await inbox.list()).approvals[0];
    while (record?.count !== 3) {
      await setImmediate();
      record = (await inbox.list()).approvals[0];
    }
    await inbox.decide(record.id, { approve: true, by: ann });
    expect(await Promise.all(calls)).to.deep.equal([{ receipt: 1 }, { receipt: 1 }, { receipt: 1 }]);
    expect(paid).to.have.lengthOf(1);
  });

  it('let the first of several decisions count, and tell the others', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
    } = await world();
    const id = String((await refusal(pay({ to: 'ada' }))).details['approval']);
    await inbox.decide(id, { approve: false, by: ann, reason: 'too much' });
    const error = await refusal(inbox.decide(id, { approve: true, by: { way: 'library', name: 'eve' } }));
    expect(error.message).to.include('ann (library) refused it: too much');
    expect(error.details['decided']).to.have.property('status', 'refused');
  });

  it('tell the caller of a no once, before an equal call is a new question', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
    } = await world();
    const id = String((await refusal(pay({ to: 'ada' }))).details['approval']);
    await inbox.decide(id, { approve: false, by: ann, reason: 'too much' });
    const told = await refusal(pay({ to: 'ada' }));
    expect([told.code, told.details['approval']]).to.deep.equal(['APPROVAL_DENIED', id]);
    expect(told.message).to.include('ann (library) refused it: too much').and.to.include('Do not repeat it.');
    const next = await refusal(pay({ to: 'ada' }));
    expect([next.code, next.details['approval'] === id]).to.deep.equal(['APPROVAL_REQUIRED', false]);
  });

  it('are used when the durable call has run, and give its result once, whatever the run has changed', async () => {
    const {
      kernel: { approvals: inbox, calls },
      pay,
      paid,
    } = await world({}, [engineLocal()]);
    const id = String((await refusal(pay({ to: 'ada' }))).details['approval']);
    await inbox.decide(id, { approve: true, by: ann });
    await (await calls.get(id, { caller: 'bob' })).result();
    while ((await inbox.get(id)).status !== 'used') await setImmediate();
    expect(await pay({ to: 'ada' })).to.deep.equal({ receipt: 1 });
    expect((await refusal(pay({ to: 'ada' }))).details['approval']).to.not.equal(id);
    expect(paid).to.have.lengthOf(1);
  });

  it('are asked again with other arguments at once, and the old question is refused', async () => {
    const {
      kernel: { approvals: inbox },
      pay,
    } = await world({ waitMs: 240_000 });
    const waiting = refusal(pay({ to: 'ada', sum: 5 }));
    while ((await inbox.list()).approvals.length === 0) await setImmediate();
    const id = (await inbox.list()).approvals[0]?.id ?? '';
    const same = await refusal(inbox.change(id, { to: 'ada', sum: 5 }, ann));
    expect(same.message).to.include('these are its arguments already');
    const next = await inbox.change(id, { to: 'ada', sum: 4 }, ann);
    expect([next.status, next.shown.parameters, next.id === id]).to.deep.equal(['waiting', { to: 'ada', sum: 4 }, false]);
    expect((await waiting).message).to.include(`asked again with other arguments, as ${next.id}`);
  });

  it('let one of several equal calls run that only read', async () => {
    const { kernel: used, paid } = await world({ waitMs: 60_000 });
    const read = () =>
      used.call({ tool: 'balance', caller: 'bob', origin: 'model' }).then(
        () => 'ran',
        (error: ToolkitError) => error.code,
      );
    const calls = [read(), read(), read()];
    let record = (await used.approvals.list()).approvals[0];
    while (record?.count !== 3) {
      await setImmediate();
      record = (await used.approvals.list()).approvals[0];
    }
    await used.approvals.decide(record.id, { approve: true, by: ann });
    expect((await Promise.all(calls)).sort()).to.deep.equal(['APPROVAL_REQUIRED', 'APPROVAL_REQUIRED', 'ran']);
    expect(paid).to.have.lengthOf(1);
  });
});
