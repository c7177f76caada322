import { expect } from 'chai';
import { apiVersion, type CallRequest, type DraftCall, definePlugin, deny } from '../../kernel/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

type TapEffect = Parameters<NonNullable<CallRequest['onTap']>>[0];

const draft = (value: unknown): DraftCall => value as DraftCall;

const rewriting = definePlugin({
  name: 'rewriting',
  apiVersion,
  apply: ({ hooks }) => hooks.beforeExecute.tap('rewriting:text', (draft) => ({ ...draft, parameters: { text: 'rewritten' } })),
});

const idle = definePlugin({
  name: 'idle',
  apiVersion,
  apply: ({ hooks }) => hooks.beforeExecute.tapPromise('idle', async () => undefined),
});

/** Returns true for the taps of the test, in a kernel whose only other plugin is the executor of functions. */
const isOfTest = ({ hook, plugin }: TapEffect): boolean => hook !== 'beforeExecute' || plugin !== 'executor-function';

describe('who wants to know what each tap of a call does', () => {
  it('is told in order: the hook, the plugin, the tap, what it got and what it gave', async () => {
    const kernel = await testKernel({ tools: [echoTool()], plugins: [rewriting(), idle()] });
    const effects: TapEffect[] = [];
    await kernel.call({ tool: 'echo', parameters: { text: 'given' }, onTap: (effect) => effects.push(effect) });
    const told = effects.filter(isOfTest).map(({ hook, plugin, tap }) => `${hook} ${plugin} ${tap}`);
    expect(told.slice(0, 2)).to.deep.equal(['beforeExecute rewriting rewriting:text', 'beforeExecute idle idle']);
    expect(told[2]).to.match(/^execute executor-function /);
    const [first, second] = effects.filter(isOfTest);
    expect(draft(first?.given).parameters).to.deep.equal({ text: 'given' });
    expect(draft(first?.returned).parameters).to.deep.equal({ text: 'rewritten' });
    expect(draft(second?.given).parameters).to.deep.equal({ text: 'rewritten' });
    expect(second?.returned).to.equal(undefined);
  });

  it('is told up to the tap that throws', async () => {
    const throwing = definePlugin({
      name: 'throwing',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.beforeExecute.tap('throwing', () => {
          throw new Error('always');
        }),
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [rewriting(), throwing(), idle()] });
    const effects: TapEffect[] = [];
    const error = await rejection(kernel.call({ tool: 'echo', onTap: (effect) => effects.push(effect) }), 'PLUGIN_FAILED');
    expect(effects.filter(isOfTest).map(({ tap }) => tap)).to.deep.equal(['rewriting:text']);
    expect(error.details).to.include({ plugin: 'throwing', hook: 'beforeExecute' });
  });

  it('is told no secret', async () => {
    const keeper = definePlugin({
      name: 'keeper',
      apiVersion,
      apply(kernel) {
        kernel.maskAlso('DOOR', 'hunter2-hunter2');
        kernel.hooks.beforeExecute.tap('keeper', (draft) => deny(draft, { kind: 'keeper', message: 'not hunter2-hunter2' }));
      },
    });
    const kernel = await testKernel({ tools: [echoTool()], plugins: [keeper()] });
    const effects: TapEffect[] = [];
    await rejection(
      kernel.call({ tool: 'echo', parameters: { text: 'hunter2-hunter2' }, onTap: (effect) => effects.push(effect) }),
      'POLICY_DENIED',
    );
    const [effect] = effects.filter(isOfTest);
    expect(draft(effect?.given).parameters).to.deep.equal({ text: '[secret DOOR]' });
    expect(draft(effect?.returned).verdict.reasons).to.deep.equal([{ kind: 'keeper', message: 'not [secret DOOR]' }]);
  });

  it('cannot hurt the call by failing', async () => {
    const logger = memoryLogger();
    const kernel = await testKernel({ tools: [echoTool()], plugins: [idle()], logger });
    const onTap = (): never => {
      throw new Error('my own mistake');
    };
    expect((await kernel.call({ tool: 'echo', parameters: { text: 'x' }, onTap })).output).to.deep.equal({ text: 'x' });
    expect(logger.records.some(({ level, message }) => level === 'warn' && message === 'onTap failed')).to.equal(true);
  });
});
