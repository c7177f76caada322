import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import type { PluginFactory } from '../../kernel/index.ts';
import { checkPlugin } from '../../plugins/toolkit/testing.ts';

/** Options for the plugins that cannot do without, and for those that do nothing without. */
const options: Readonly<Record<string, unknown>> = {
  'policy-human': { enableHITL: true },
  'audit-trail': { path: path.join(os.tmpdir(), 'toolkit-contract', 'calls.jsonl') },
};

/** Adapters are hosts: they call a kernel and are no part of one. */
const isPlugin = (name: string): boolean => name !== 'shared' && name !== 'toolkit' && !name.startsWith('adapter-');

const folders = (await readdir('plugins')).filter(isPlugin);

describe('the plugin contract', () => {
  for (const folder of folders) {
    it(`is kept by ${folder}`, async () => {
      const module = (await import(path.resolve('plugins', folder, 'index.ts'))) as Record<string, unknown>;
      const factories = Object.values(module).filter((value) => typeof value === 'function') as PluginFactory<unknown>[];
      expect(factories, 'one factory a folder').to.have.length(1);
      const [factory] = factories;
      if (factory === undefined) throw new Error('no factory');
      expect(factory().name).to.equal(folder);
      expect(await checkPlugin(factory, options[folder])).to.deep.equal([]);
    });
  }

  it('is found broken where it is broken', async () => {
    const { apiVersion, definePlugin } = await import('../../kernel/index.ts');
    const idle = definePlugin({ name: 'idle', apiVersion, apply() {} });
    const careless = definePlugin({
      name: 'careless',
      apiVersion,
      optionsSchema: { type: 'object' } as never,
      apply: ({ hooks }) => hooks.settled.tap('careless', () => {}),
    });
    const throwing = definePlugin({
      name: 'throwing',
      apiVersion,
      apply() {
        throw new Error('always');
      },
    });
    expect(await checkPlugin(idle)).to.deep.equal(['taps no hook and adds no command']);
    expect(await checkPlugin(careless)).to.deep.equal(['accepts an option that it does not know']);
    expect((await checkPlugin(throwing))[0]).to.include('failed in apply(): always');
  });
});
