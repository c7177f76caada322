import { expect } from 'chai';
import { apiVersion, defineFact, definePlugin, type PluginApi } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const folders = defineFact<readonly string[]>('folders');

const stating = (name: string, apply: (api: PluginApi) => void) => definePlugin({ name, apiVersion, apply })();

describe('facts of plugins', () => {
  it('are read in the order of the plugins, each with its plugin', async () => {
    const kernel = await bareKernel({
      plugins: [
        stating('one', ({ extend }) => extend.fact(folders, ['a', 'b'])),
        stating('silent', () => {}),
        stating('two', ({ extend }) => extend.fact(folders, [])),
      ],
    });
    expect(kernel.facts(folders)).to.deep.equal([
      { plugin: 'one', value: ['a', 'b'] },
      { plugin: 'two', value: [] },
    ]);
  });

  it('are none for a kind that no plugin states, whatever its name', async () => {
    const kernel = await bareKernel({ plugins: [stating('one', ({ extend }) => extend.fact(folders, ['a']))] });
    for (const name of ['others', '__proto__', 'constructor']) expect(kernel.facts(defineFact(name))).to.deep.equal([]);
  });

  it('are of one kind where two copies of a module define it', async () => {
    const kernel = await bareKernel({ plugins: [stating('one', ({ extend }) => extend.fact(defineFact('folders'), ['a']))] });
    expect(kernel.facts(folders)).to.deep.equal([{ plugin: 'one', value: ['a'] }]);
  });

  it('are refused after apply', async () => {
    const late = stating('late', ({ hooks, extend }) => hooks.serve.tap('late', () => extend.fact(folders, ['a'])));
    const kernel = await bareKernel({ plugins: [late] });
    const { message } = await rejection(kernel.serve(), 'PLUGIN_INVALID');
    expect(message).to.include('adds the fact "folders" after apply()');
  });
});
