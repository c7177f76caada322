import { expect } from 'chai';
import { createKernel, type PluginEntry } from '../../../../../kernel/index.ts';
import { examine } from '../../../../../plugins/cli/commands/doctor/examine.ts';
import { sharedState, unreachableState } from '../../../../support/shared-state.ts';

async function statesOfStore(store: PluginEntry): Promise<readonly string[]> {
  const { findings } = await examine({
    createKernel: (_overrides, adapt = (options) => options) => {
      const { plugins, ...options } = adapt({ plugins: [store] });
      return createKernel({ ...options, plugins: plugins as readonly PluginEntry[] } as Parameters<typeof createKernel>[0]);
    },
    env: {},
    program: ['node', 'toolkit'],
    builtIn: [],
  });
  return findings.filter(({ check }) => check === 'Store').map(({ state, message }) => `${state}: ${message.replace(/[:;,].*/, '')}`);
}

describe('the store of a third party, which brings no check', () => {
  it('is tried all the same', async () => expect(await statesOfStore((await sharedState()).plugin())).to.deep.equal(['ok: the store']));

  it('is a problem where it cannot be used', async () =>
    expect(await statesOfStore(unreachableState().plugin())).to.deep.equal(['problem: the store']));
});
