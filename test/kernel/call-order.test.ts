import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginApi } from '../../kernel/index.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

const seen: string[] = [];

function tapEverything(name: string, options: { stage?: number; before?: string } = {}) {
  return definePlugin({
    name,
    apiVersion,
    apply({ hooks }: PluginApi) {
      const note = (hook: string) => (): undefined => void seen.push(`${hook} ${name}`);
      hooks.discover.tap({ name, ...options }, note('discover'));
      hooks.resolveSecrets.tap({ name, ...options }, note('resolveSecrets'));
      hooks.injectAuth.tap({ name, ...options }, note('injectAuth'));
      hooks.beforeExecute.tap({ name, ...options }, note('beforeExecute'));
      hooks.approve.tap({ name, ...options }, note('approve'));
      hooks.execute.for('function').tap({ name, ...options, stage: (options.stage ?? 0) - 1 }, note('execute'));
      hooks.validateOutput.tap({ name, ...options }, note('validateOutput'));
      hooks.settled.tap({ name, ...options }, note('settled'));
      hooks.serve.tap({ name, ...options }, note('serve'));
      hooks.dispose.tap({ name, ...options }, note('dispose'));
    },
  })();
}

describe('the order of hooks', () => {
  beforeEach(() => seen.splice(0));

  it('runs discover at start, then the stages of a call, then dispose', async () => {
    const kernel = await testKernel({ plugins: [tapEverything('one')], tools: [echoTool()] });
    await kernel.resolveSecrets(['NAME']);
    await kernel.serve();
    await kernel.execute('echo', { text: 'a' });
    await kernel.close();
    const hooks = ['discover', 'resolveSecrets', 'serve', 'injectAuth', 'beforeExecute', 'execute', 'validateOutput', 'settled', 'dispose'];
    expect(seen).to.deep.equal(hooks.map((hook) => `${hook} one`));
  });

  it('runs taps in the order of the configuration, and dispose in the reverse order', async () => {
    const kernel = await testKernel({ plugins: [tapEverything('one'), tapEverything('two')], tools: [echoTool()] });
    await kernel.execute('echo');
    await kernel.close();
    expect(seen.filter((line) => line.startsWith('beforeExecute'))).to.deep.equal(['beforeExecute one', 'beforeExecute two']);
    expect(seen.filter((line) => line.startsWith('dispose'))).to.deep.equal(['dispose two', 'dispose one']);
  });

  it('tells how a call ended that closing ends, with promises too, before dispose', async () => {
    const told = definePlugin({
      name: 'told',
      apiVersion,
      apply({ hooks }: PluginApi) {
        hooks.settled.tapPromise('told', async ({ outcome }) => {
          await setImmediate();
          seen.push(outcome.type === 'failed' ? outcome.error.code : outcome.type);
        });
        hooks.dispose.tap('told', () => void seen.push('dispose'));
      },
    });
    const hanging = echoTool({ execution: { type: 'function', handler: () => new Promise(() => {}) } });
    const kernel = await testKernel({ plugins: [told()], tools: [hanging] });
    const call = rejection(kernel.execute('echo'), 'ABORTED');
    await kernel.close();
    expect(seen).to.deep.equal(['ABORTED', 'dispose']);
    await call;
  });

  it('lets a lower stage run first', async () => {
    const kernel = await testKernel({ plugins: [tapEverything('one'), tapEverything('two', { stage: -5 })], tools: [echoTool()] });
    await kernel.execute('echo');
    expect(seen.filter((line) => line.startsWith('injectAuth'))).to.deep.equal(['injectAuth two', 'injectAuth one']);
  });

  it('lets `before` name a plugin that is listed earlier or later', async () => {
    const plugins = [tapEverything('one'), tapEverything('two', { before: 'one' }), tapEverything('three', { before: 'one' })];
    const kernel = await testKernel({ plugins, tools: [echoTool()] });
    await kernel.execute('echo');
    expect(seen.filter((line) => line.startsWith('settled'))).to.deep.equal(['settled two', 'settled three', 'settled one']);
    expect(kernel.tapsOf('settled').map(({ name }) => name)).to.deep.equal(['test-kit', 'two', 'three', 'one']);
  });

  it('runs settled for a call that fails and for a tool that does not exist', async () => {
    const kernel = await testKernel({ plugins: [tapEverything('one')], tools: [echoTool()] });
    await kernel.execute('echo', { text: 1 }).catch(() => {});
    await kernel.execute('no_such_tool').catch(() => {});
    expect(seen.filter((line) => line === 'settled one')).to.have.length(2);
  });

  it('waits for each tap that gives a promise for at most three rounds of the queue of promises', async () => {
    const passing = (n: number) =>
      definePlugin({
        name: `passing-${n}`,
        apiVersion,
        apply: ({ hooks }) => hooks.beforeExecute.tapPromise(`passing-${n}`, async (draft) => draft),
      })();
    const roundsWith = async (count: number): Promise<number> => {
      const kernel = await testKernel({ plugins: Array.from({ length: count }, (_, n) => passing(n)), tools: [echoTool()] });
      let rounds = 0;
      let hasEnded = false;
      const call = kernel.execute('echo').finally(() => {
        hasEnded = true;
      });
      for (; !hasEnded; rounds++) await undefined;
      await call;
      return rounds;
    };
    expect((await roundsWith(40)) - (await roundsWith(20))).to.be.at.most(60);
  });
});
