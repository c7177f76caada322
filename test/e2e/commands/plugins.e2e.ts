import { expect } from 'chai';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';
import { start } from '../program.ts';

const files = {
  'package.json': '{ "type": "module" }',
  'toolkit.config.ts': `import { apiVersion, defineConfig, definePlugin } from '@toolkit/core';
import hours from './hours.js';

const listed = definePlugin({
  name: 'listed',
  version: '1.2.3',
  apiVersion,
  apply({ hooks }) {
    hooks.beforeExecute.tap({ name: 'early', stage: -5, before: 'hours' }, () => undefined);
    hooks.execute.for('*').tap('listed', () => undefined);
  },
});
export default defineConfig({ plugins: [listed(), hours(), 'toolkit/plugins/policy-human', 'named'] });
`,
  'hours.js': `import { apiVersion, definePlugin } from '@toolkit/core';
export default definePlugin({ name: 'hours', apiVersion, apply: ({ hooks }) => hooks.beforeExecute.tap('hours', () => undefined) });
`,
  'node_modules/named/package.json': '{ "name": "named", "type": "module", "exports": "./index.js" }',
  'node_modules/named/index.js': `import { apiVersion, definePlugin } from '@toolkit/core';
const part = (name) => definePlugin({ name, apiVersion, apply: ({ hooks }) => hooks.settled.tap(name, () => {}) })();
export default () => [part('one'), part('two')];
`,
};

describe('toolkit plugins', () => {
  it('shows on a terminal what runs on each hook, where it comes from, and what taps nothing', async () => {
    const screen = terminal(['plugins'], { cwd: await temporaryFolder(files), rows: 60 });
    expect(await screen.ended).to.equal(0);
    // Commands come and go.
    await matchesSnapshot('plugins', screen.screen().replace(/^(cli +toolkit +).*$(\n {20,}.*)*/m, '$1…'));
  });

  it('gives programs the same as JSON', async () => {
    const started = start(['plugins', '--json'], { cwd: await temporaryFolder(files) });
    expect((await started.exit).code).to.equal(0);
    const { hooks, plugins } = JSON.parse(started.stdout()) as { hooks: { hook: string; taps: object[] }[]; plugins: { name: string }[] };
    const tapsOf = (name: string): object[] | undefined => hooks.find(({ hook }) => hook === name)?.taps;
    expect(tapsOf('beforeExecute')).to.deep.equal([
      { name: 'listed:early', plugin: 'listed', stage: -5, before: ['hours'], from: 'toolkit.config.ts' },
      { name: 'hours', plugin: 'hours', stage: 0, before: [], from: 'toolkit.config.ts' },
    ]);
    expect(tapsOf('execute')).to.deep.equal([
      { name: 'listed', plugin: 'listed', stage: 0, before: [], execution_type: '*', from: 'toolkit.config.ts' },
    ]);
    expect(tapsOf('settled')).to.deep.equal(['one', 'two'].map((name) => ({ name, plugin: name, stage: 0, before: [], from: 'named' })));
    expect(tapsOf('approve')).to.deep.equal([]);
    expect(plugins.find(({ name }) => name === 'listed')).to.deep.equal({
      name: 'listed',
      version: '1.2.3',
      from: 'toolkit.config.ts',
      taps: 2,
      commands: [],
    });
    expect(plugins.find(({ name }) => name === 'policy-human')).to.include({ from: 'toolkit/plugins/policy-human', taps: 0 });
  });

  it('says where the plugins of a folder without a configuration come from', async () => {
    const started = start(['plugins', '--json'], { cwd: await temporaryFolder({ 'package.json': '{}' }) });
    expect((await started.exit).code).to.equal(0);
    const { plugins } = JSON.parse(started.stdout()) as { plugins: { name: string; from: string }[] };
    expect(new Set(plugins.map(({ from }) => from))).to.deep.equal(new Set(['toolkit', 'standard()']));
  });
});
