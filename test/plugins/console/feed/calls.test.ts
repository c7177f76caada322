import { expect } from 'chai';
import sinon from 'sinon';
import { apiVersion, ask, definePlugin, type PluginEntry } from '../../../../kernel/index.ts';
import { maxEndedCalls, maxParameterCharacters, maxWithParameters } from '../../../../plugins/console/feed/ended-calls.ts';
import type { EndedCall } from '../../../../plugins/console/wire/calls.ts';
import { rejection } from '../../../support/rejection.ts';
import { echoTool } from '../../../support/test-kernel.ts';
import { Watched } from '../watched.ts';

/** A tool that runs until the test lets it go on. */
function slowTool(more: Readonly<Record<string, unknown>> = {}) {
  let begin: () => void = () => {};
  let end: (error?: Error) => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<object>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve({}) : reject(error));
  });
  const handler = (): Promise<object> => {
    begin();
    return ended;
  };
  return { tool: echoTool({ name: 'slow', execution: { type: 'function', handler }, ...more }), begun, end: (error?: Error) => end(error) };
}

/** A plugin that asks about every call, and answers when the test says so. */
function asking(answer: Promise<boolean>, onAsked: () => void): PluginEntry {
  return definePlugin({
    name: 'asking',
    apiVersion,
    apply({ hooks }) {
      hooks.beforeExecute.tap('asking', (draft) => ask(draft, { kind: 'test', message: 'a person is asked' }));
      hooks.approve.tapPromise('asking', async () => {
        onAsked();
        return { approved: await answer, by: 'ann' };
      });
    },
  })();
}

const stagesOf = (call: Pick<EndedCall, 'stages'> | undefined): readonly string[] => (call?.stages ?? []).map(({ stage }) => stage);

describe('the calls of this process', () => {
  it('run in their present stage, with its time, and end with their outcome', async () => {
    let time = 1000;
    const { tool, begun, end } = slowTool({ risk: 'medium' });
    const world = await Watched.open({ tools: [tool], now: () => time++ });
    const call = world.kernel.call({ tool: 'slow', parameters: { text: 'a' }, caller: 'agent', origin: 'model' });
    await begun;
    const [running = expect.fail()] = world.log.running().calls;
    expect(running).to.deep.include({ tool: 'slow', caller: 'agent', origin: 'model', risk: 'medium' });
    expect(running.stages).to.deep.equal([
      { stage: 'checks', beganAt: running.startedAt },
      { stage: 'run', beganAt: running.startedAt + 1 },
    ]);
    end();
    const { callId } = await call;
    expect(world.log.running()).to.deep.equal({ calls: [], count: 0 });
    const [ended] = world.log.ended(10).calls;
    expect(ended).to.deep.include({ callId, outcome: 'completed', executed: true, reasons: [], approvals: [] });
    expect(ended?.callId).to.equal(running.callId);
    expect(stagesOf(ended)).to.deep.equal(['checks', 'run', 'output']);
  });

  it('are in approval from the question to the answer, and then run', async () => {
    let approve: (yes: boolean) => void = () => {};
    const answer = new Promise<boolean>((resolve) => {
      approve = resolve;
    });
    let onAsked: () => void = () => {};
    const question = new Promise<void>((resolve) => {
      onAsked = resolve;
    });
    const { tool, begun, end } = slowTool();
    const world = await Watched.open({ tools: [tool], plugins: [asking(answer, () => onAsked())] });
    const call = world.kernel.call({ tool: 'slow' });
    await question;
    expect(stagesOf(world.log.running().calls[0])).to.deep.equal(['checks', 'approval']);
    approve(true);
    await begun;
    expect(stagesOf(world.log.running().calls[0])).to.deep.equal(['checks', 'approval', 'run']);
    end();
    await call;
    const [ended] = world.log.ended(1).calls;
    expect(ended?.approvals).to.deep.equal([{ kind: 'test', approved: true, by: 'ann' }]);
    expect(ended?.reasons).to.deep.equal(['a person is asked']);
  });

  const failing = echoTool({
    name: 'failing',
    execution: {
      type: 'function',
      handler: () => {
        throw new Error('it broke');
      },
    },
  });
  const gated = echoTool({ name: 'gated', description: 'Asks.' });
  const failures: readonly (readonly [
    string,
    { tool: string; parameters?: Record<string, unknown> },
    Partial<EndedCall>,
    readonly string[],
  ])[] = [
    ['an unknown tool', { tool: 'missing' }, { tool: 'missing', outcome: 'TOOL_NOT_FOUND', executed: false }, ['checks']],
    ['wrong parameters', { tool: 'echo', parameters: { wrong: 1 } }, { outcome: 'INVALID_PARAMETERS', executed: false }, ['checks']],
    ['a tool that fails', { tool: 'failing' }, { outcome: 'EXECUTION_FAILED', executed: true }, ['checks', 'run']],
    ['a refusal', { tool: 'gated' }, { outcome: 'APPROVAL_DENIED', executed: false }, ['checks', 'approval']],
  ];
  for (const [name, request, expected, stages] of failures) {
    it(`end with the code, the message and the stages of ${name}`, async () => {
      const refusing = definePlugin({
        name: 'refusing',
        apiVersion,
        apply({ hooks }) {
          hooks.beforeExecute.tap('refusing', (draft) =>
            draft.tool.name === 'gated' ? ask(draft, { kind: 'test', message: 'why' }) : undefined,
          );
          hooks.approve.tap('refusing', () => ({ approved: false, by: 'ann', reason: 'no' }));
        },
      });
      const world = await Watched.open({ tools: [echoTool(), failing, gated], plugins: [refusing()] });
      const error = await rejection(world.kernel.call(request), expected.outcome as 'TIMEOUT');
      const [ended] = world.log.ended(1).calls;
      expect(ended).to.deep.include(expected);
      expect(ended?.message).to.equal(error.message);
      expect(stagesOf(ended)).to.deep.equal(stages);
      expect(world.log.failedWith(error)).to.equal(ended?.callId);
      expect(world.log.running().count).to.equal(0);
    });
  }

  it('have an entry each, a nested one too', async () => {
    const handler = async (_: unknown, { tools }: { readonly tools: { call(tool: string, parameters: object): Promise<unknown> } }) => {
      await tools.call('echo', { text: 'in' });
      return {};
    };
    const world = await Watched.open({ tools: [echoTool(), echoTool({ name: 'outer', execution: { type: 'function', handler } })] });
    await world.kernel.call({ tool: 'outer' });
    expect(world.log.ended(10).calls.map(({ tool }) => tool)).to.deep.equal(['outer', 'echo']);
    expect(world.log.running().count).to.equal(0);
  });

  it('are seen before credentials are bound', async () => {
    let bind: () => void = () => {};
    const wait = new Promise<void>((resolve) => {
      bind = resolve;
    });
    let onBinding: () => void = () => {};
    const binding = new Promise<void>((resolve) => {
      onBinding = resolve;
    });
    const slowly = definePlugin({
      name: 'slowly',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.injectAuth.tapPromise('slowly', async () => {
          onBinding();
          await wait;
          return undefined;
        }),
    });
    const world = await Watched.open({
      tools: [echoTool({ secrets: ['TOKEN'] })],
      plugins: [slowly()],
      secrets: { TOKEN: 'secret-of-test' },
    });
    const call = world.kernel.call({ tool: 'echo' });
    await binding;
    expect(stagesOf(world.log.running().calls[0])).to.deep.equal(['checks']);
    bind();
    await call;
  });

  it('are none for a trial, which leaves nothing behind', async () => {
    const world = await Watched.open({ tools: [echoTool()] });
    await rejection(world.kernel.call({ tool: 'echo', isTrial: true }), 'ABORTED');
    expect([world.log.running().count, world.log.ended(1).calls]).to.deep.equal([0, []]);
  });

  it('are reported at each step', async () => {
    const onChange = sinon.spy();
    const world = await Watched.open({ tools: [echoTool()], onChange });
    await world.kernel.call({ tool: 'echo' });
    expect(onChange.callCount).to.equal(4);
  });

  it('are the last thousand, newest first, in pages and by tool', async () => {
    const world = await Watched.open({ tools: [echoTool(), echoTool({ name: 'other' })] });
    await world.kernel.call({ tool: 'other' });
    for (let call = 0; call < maxEndedCalls + 5; call++) await world.kernel.call({ tool: 'echo', parameters: { text: `${call}` } });
    await world.kernel.call({ tool: 'other' });
    const ids: string[] = [];
    for (let before: number | undefined; ; ) {
      const { calls, next } = world.log.ended(300, before === undefined ? {} : { before });
      ids.push(...calls.map(({ callId }) => callId));
      if (next === undefined) break;
      before = next;
    }
    expect(new Set(ids).size).to.equal(maxEndedCalls);
    expect(world.log.ended(10, { tool: 'other' }).calls).to.have.length(1);
    expect(world.log.find(ids.at(-1) ?? '')?.call.tool).to.equal('echo');
  });

  it('keep the parameters of the last two hundred only', async () => {
    const world = await Watched.open({ tools: [echoTool()] });
    const { callId } = await world.kernel.call({ tool: 'echo', parameters: { text: 'first' } });
    for (let call = 1; call < maxWithParameters; call++) await world.kernel.call({ tool: 'echo' });
    expect(world.log.find(callId)?.kept).to.deep.equal({ parameters: { text: 'first' } });
    await world.kernel.call({ tool: 'echo' });
    expect(world.log.find(callId)?.kept.parameters).to.equal(undefined);
    expect(world.log.find(callId)?.kept.note).to.include('no longer kept');
  });

  it('keep at most 200 kB of parameters each, and say so', async () => {
    const world = await Watched.open({
      tools: [echoTool({ parameters: { text: { type: 'string' }, list: { type: 'array', items: {} } } })],
    });
    const big = { text: 'x'.repeat(150_000), list: Array.from({ length: 20_000 }, (_, index) => ({ index })) };
    const { callId } = await world.kernel.call({ tool: 'echo', parameters: big });
    const { parameters, note } = world.log.find(callId)?.kept ?? expect.fail();
    expect(JSON.stringify(parameters).length).to.be.within(maxParameterCharacters / 2, maxParameterCharacters * 1.1);
    expect(note).to.include('cut to 200 kB');
  });

  it('show no secret while they run, nor afterwards', async () => {
    const { tool, begun, end } = slowTool({ secrets: ['TOKEN'] });
    const world = await Watched.open({ tools: [tool], secrets: { TOKEN: 'secret-of-test' } });
    const call = world.kernel.call({ tool: 'slow', parameters: { text: 'with secret-of-test' }, caller: 'secret-of-test' });
    await begun;
    const { callId } = world.log.running().calls[0] ?? expect.fail();
    const running = JSON.stringify([await world.calls(), await world.call(callId)]);
    end(new Error('secret-of-test'));
    await rejection(call, 'EXECUTION_FAILED');
    const ended = JSON.stringify([await world.calls(), await world.call(callId)]);
    for (const text of [running, ended]) expect(text).to.include('[secret TOKEN]').and.not.include('secret-of-test');
  });
});
