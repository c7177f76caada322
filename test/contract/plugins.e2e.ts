import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { PluginFactory } from '../../kernel/index.ts';
import { callsOnce } from '../../plugins/calls-once/index.ts';
import { storePostgres } from '../../plugins/store-postgres/index.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { importEffects } from '../../plugins/toolkit/testing/contract/import-effects.ts';
import { checkPlugin, type PluginCheckOptions } from '../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../support/temporary.ts';

const cwd = await temporaryFolder({});

/** Options for the plugins that cannot do without, and for those that do nothing without. */
const options: Readonly<Record<string, unknown>> = {
  'policy-human': { enableHITL: true },
  'audit-trail': { path: path.join(cwd, 'calls.jsonl') },
  'tool-packages': { python: false },
  // Nobody connects before the store is used.
  'store-postgres': { url: 'postgresql://127.0.0.1/toolkit' },
  schedule: { jobs: [{ id: 'nightly', cron: '0 2 * * *', tool: 'plain' }] },
  'engine-bullmq': { url: 'postgresql://127.0.0.1/toolkit' },
  'host-stdio': { loadParts: () => Promise.reject(new Error('no host was to be made')) },
};

/** Settings with which each plugin does its work. */
const settings: Readonly<Record<string, PluginCheckOptions>> = {
  'cache-results': { toolKeys: { cache: { ttl_ms: 60_000 } } },
  'limit-rate': { toolKeys: { rate_limit: { concurrency: 2 } } },
  approvals: { beside: [callsOnce()] },
  'engine-bullmq': { beside: [storePostgres({ url: 'postgresql://127.0.0.1/toolkit' })] },
  // It finds the packages of this project.
  'tool-packages': { beside: [standard({ autoDiscover: false, includeCore: false })] },
};

/** Adapters and the Python SDK are hosts: they call a kernel and are no part of one. */
const isPlugin = (name: string): boolean => !/^(shared|toolkit|python-sdk|adapter-.*)$/.test(name);

const entries = await readdir('plugins', { withFileTypes: true });
const folders = entries.flatMap((entry) => (entry.isDirectory() && isPlugin(entry.name) ? [entry.name] : []));

describe('the plugin contract', () => {
  for (const folder of folders) {
    it(`is kept by ${folder}`, async () => {
      const module = (await import(path.resolve('plugins', folder, 'index.ts'))) as Record<string, unknown>;
      const factories = Object.values(module).filter((value) => typeof value === 'function') as PluginFactory<unknown>[];
      expect(factories, 'one factory a folder').to.have.length(1);
      const [factory] = factories;
      if (factory === undefined) throw new Error('no factory');
      expect(factory().name).to.equal(folder);
      expect(await checkPlugin(factory, options[folder], { cwd, ...settings[folder] })).to.deep.equal([]);
    });
  }

  it('lets nobody work when they are imported', async () => {
    const imports = folders.map(
      (folder) => `import ${JSON.stringify(pathToFileURL(path.resolve('dist/plugins', folder, 'index.js')).href)};`,
    );
    const all = await temporaryFolder({ 'all.mjs': `${imports.join('\n')}\n` });
    const { isPlugin: _isPlugin, ...effects } = await importEffects(pathToFileURL(path.join(all, 'all.mjs')).href);
    const nothing = {
      variables: [],
      isFolderChanged: false,
      globals: [],
      listeners: [],
      resources: [],
      connections: 0,
      programs: 0,
      printed: '',
    };
    expect(effects).to.deep.equal(nothing);
  });
});
