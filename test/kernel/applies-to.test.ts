import { expect } from 'chai';
import { apiVersion, definePlugin, type PluginApi, type TapEffect, type Tool } from '../../kernel/index.ts';
import { rejection } from '../support/rejection.ts';
import { echoTool, testKernel } from '../support/test-kernel.ts';

const tools = [echoTool({ name: 'low_one' }), echoTool({ name: 'high_one', risk: 'high' })];

function picky(apply: (hooks: PluginApi['hooks'], appliesTo: (tool: Tool) => boolean) => void, asked: string[] = []) {
  return definePlugin({
    name: 'picky',
    apiVersion,
    apply: ({ hooks }) =>
      apply(hooks, (tool) => {
        asked.push(tool.name);
        return tool.risk === 'high';
      }),
  })();
}

describe('a tap with appliesTo', () => {
  it('is called for the tools that it applies to, on every hook of a call, and is asked once for each tool', async () => {
    const asked: string[] = [];
    const called: string[] = [];
    const plugin = picky((hooks, appliesTo) => {
      const tap = { name: 'picky', appliesTo };
      const note = (hook: string, tool: Tool | undefined): undefined => void called.push(`${hook} ${tool?.name}`);
      hooks.injectAuth.tap(tap, ({ tool }) => note('injectAuth', tool));
      hooks.beforeExecute.tapPromise(tap, async ({ tool }) => note('beforeExecute', tool));
      hooks.execute.for('*').tap(tap, ({ tool }) => note('execute', tool));
      hooks.validateOutput.tap(tap, (_result, { tool }) => note('validateOutput', tool));
      hooks.settled.tap(tap, ({ tool }) => note('settled', tool));
    }, asked);
    const kernel = await testKernel({ tools, plugins: [plugin] });
    for (const tool of ['low_one', 'high_one', 'high_one', 'low_one']) await kernel.execute(tool, { text: 'x' });
    const hooks = ['injectAuth', 'beforeExecute', 'execute', 'validateOutput', 'settled'];
    expect(called).to.deep.equal([...hooks, ...hooks].map((hook) => `${hook} high_one`));
    expect(asked.sort()).to.deep.equal([...hooks.map(() => 'high_one'), ...hooks.map(() => 'low_one')]);
  });

  it('sees the end of a call of a tool that there is not, because nobody knows whether it applies', async () => {
    const ended: string[] = [];
    const plugin = picky((hooks, appliesTo) =>
      hooks.settled.tap({ name: 'picky', appliesTo }, ({ toolName }) => void ended.push(toolName)),
    );
    const kernel = await testKernel({ tools, plugins: [plugin] });
    await rejection(kernel.execute('no_such_tool'), 'TOOL_NOT_FOUND');
    expect(ended).to.deep.equal(['no_such_tool']);
  });

  it('is told to whoever watches the call as one that changed nothing', async () => {
    const effects: TapEffect[] = [];
    const plugin = picky((hooks, appliesTo) => hooks.beforeExecute.tap({ name: 'picky', appliesTo }, () => expect.fail('was called')));
    const kernel = await testKernel({ tools, plugins: [plugin] });
    await kernel.call({ tool: 'low_one', parameters: {}, onTap: (effect) => effects.push(effect) });
    expect(effects.filter((effect) => effect.plugin === 'picky').map(({ hook, returned }) => [hook, returned])).to.deep.equal([
      ['beforeExecute', undefined],
    ]);
  });

  it('is refused on a hook that knows no tool', async () => {
    const plugin = picky((hooks, appliesTo) => hooks.discover.tap({ name: 'picky', appliesTo }, () => {}));
    const error = await rejection(testKernel({ plugins: [plugin] }), 'PLUGIN_INVALID');
    expect(error.message).to.include(
      'taps "discover" with "appliesTo", which only hooks of a call know: expected one of injectAuth, beforeExecute',
    );
  });

  it('fails the call under the name of its plugin when it throws', async () => {
    const plugin = picky((hooks) =>
      hooks.beforeExecute.tap({ name: 'picky', appliesTo: () => JSON.parse('no') as boolean }, () => undefined),
    );
    const kernel = await testKernel({ tools, plugins: [plugin] });
    const error = await rejection(kernel.execute('low_one'), 'PLUGIN_FAILED');
    expect(error.details).to.include({ plugin: 'picky', hook: 'beforeExecute', tool: 'low_one' });
  });
});
