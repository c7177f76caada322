import { chmod, chown, cp, mkdir, readdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { flattenPlugins } from '../../../../kernel/index.ts';
import { loadToolkitConfig } from '../../../../plugins/toolkit/config/toolkit-config.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { bareKernel } from '../../../support/test-kernel.ts';

const fixtures = path.resolve('fixtures/configs');

/** A copy outside the project, so that the search cannot find the project's own configuration. */
async function copyOf(name: string): Promise<string> {
  const folder = await temporaryFolder();
  await cp(path.join(fixtures, name), folder, { recursive: true });
  return folder;
}

describe('the configuration', () => {
  const found = [
    { name: 'ts', file: 'toolkit.config.ts', plugin: 'from-ts' },
    { name: 'js', file: 'toolkit.config.js', plugin: 'from-js' },
    { name: 'mjs', file: 'toolkit.config.mjs', plugin: 'from-mjs' },
    { name: 'cjs', file: 'toolkit.config.cjs', plugin: 'from-cjs' },
    { name: 'json', file: 'toolkit.config.json', plugin: 'local', options: { label: 'from-json' } },
    { name: 'yaml', file: 'toolkit.config.yaml', plugin: 'local', options: {} },
    { name: 'rc', file: '.toolkitrc', plugin: 'local', options: { label: 'from-rc' } },
    { name: 'package-json', file: 'package.json', plugin: 'local', options: { label: 'from-package' } },
  ];
  for (const { name, file, plugin, options } of found) {
    it(`loads from ${file} and its plugins run in this very kernel`, async () => {
      const folder = await copyOf(name);
      const loaded = await loadToolkitConfig(folder);
      expect(loaded?.file).to.equal(path.join(folder, file));
      const [first] = flattenPlugins(loaded?.config.plugins ?? []);
      expect(first?.name).to.equal(plugin);
      if (options !== undefined) expect(first?.options).to.deep.equal(options);
      await bareKernel({ plugins: loaded?.config.plugins ?? [] });
    });
  }

  it('leaves nothing beside it, with a node_modules or without', async () => {
    for (const made of [[], ['node_modules']]) {
      const folder = await copyOf('ts');
      for (const name of made) await mkdir(path.join(folder, name));
      const before = await readdir(folder, { recursive: true });
      await loadToolkitConfig(folder);
      expect(await readdir(folder, { recursive: true })).to.deep.equal(before);
    }
  });

  // Only the administrator can make a file of somebody else.
  const asAdministrator = process.getuid?.() === 0 ? it : it.skip;
  for (const { name, file } of found) {
    asAdministrator(`is refused when ${file} is of another account, unless it is named`, async () => {
      const folder = await copyOf(name);
      await chown(path.join(folder, file), 65_534, 65_534);
      const below = path.join(folder, 'own');
      await mkdir(below);
      const error = await rejection(loadToolkitConfig(below), 'CONFIG_INVALID');
      expect(error.message)
        .to.include(`${path.join(folder, file)} belongs to another account`)
        .and.include('--config');
      expect((await loadToolkitConfig(below, path.join(folder, file)))?.file).to.equal(path.join(folder, file));
    });
  }

  const stranger = async (place: string): Promise<void> => chown(place, 65_534, 65_534);
  const foreign: { title: string; make: (folder: string, file: string) => Promise<void>; says: string }[] = [
    { title: 'its folder is of another account', make: (folder) => stranger(folder), says: 'project belongs to another account' },
    {
      title: 'a folder above is of another account',
      make: (folder) => stranger(path.dirname(folder)),
      says: 'belongs to another account',
    },
    { title: 'every account may write to it', make: (_, file) => chmod(file, 0o666), says: 'every account may write to' },
    { title: 'every account may write to its folder', make: (folder) => chmod(folder, 0o777), says: 'every account may write to' },
    {
      title: 'every account may write to a folder above',
      make: (folder) => chmod(path.dirname(folder), 0o777),
      says: 'every account may write to',
    },
    {
      title: 'it is a link to a file of another account',
      make: async (folder, file) => {
        const target = path.join(folder, 'other.yaml');
        await rename(file, target);
        await stranger(target);
        await symlink(target, file);
      },
      says: 'other.yaml belongs to another account',
    },
  ];
  for (const { title, make, says } of foreign) {
    asAdministrator(`is refused when ${title}, also from a folder of one's own below`, async () => {
      const folder = path.join(await temporaryFolder(), 'project');
      await cp(path.join(fixtures, 'yaml'), folder, { recursive: true });
      const own = path.join(folder, 'own');
      await mkdir(own);
      const file = path.join(folder, 'toolkit.config.yaml');
      expect((await loadToolkitConfig(own))?.file).to.equal(file);
      await make(folder, file);
      const error = await rejection(loadToolkitConfig(own), 'CONFIG_INVALID');
      expect(error.message).to.include(says).and.include(`--config ${file}`);
      expect((await loadToolkitConfig(own, file))?.file).to.equal(file);
    });
  }

  asAdministrator("is taken from a folder of one's own in one where every account may make files, such as /tmp", async () => {
    const folder = await copyOf('yaml');
    const own = path.join(folder, 'own');
    await cp(path.join(fixtures, 'yaml'), own, { recursive: true });
    await chmod(folder, 0o1777);
    expect((await loadToolkitConfig(own))?.file).to.equal(path.join(own, 'toolkit.config.yaml'));
  });

  asAdministrator('is searched past a package.json of another account that does not hold it', async () => {
    const folder = await temporaryFolder({ 'package.json': '{}' });
    await chmod(folder, 0o1777);
    await chown(path.join(folder, 'package.json'), 65_534, 65_534);
    expect(await loadToolkitConfig(folder)).to.equal(undefined);
  });

  it('is found from a subfolder of the project', async () => {
    const folder = await copyOf('yaml');
    const deep = path.join(folder, 'src/deep');
    await cp(path.join(fixtures, 'ts/parts'), deep, { recursive: true });
    expect((await loadToolkitConfig(deep))?.file).to.equal(path.join(folder, 'toolkit.config.yaml'));
  });

  it('names each built-in plugin of this very copy, wherever it lies', async () => {
    const names = (await readdir('plugins')).filter((name) => !/^(shared|toolkit|python-sdk|adapter-.*|.*\.md)$/.test(name));
    expect(names).to.include.members(['audit-trail', 'mcp']);
    const half = Math.ceil(names.length / 2);
    const entries = names.map(
      (name, index) => `  - ${index < half ? 'toolkit' : '"@toolkit/core'}/plugins/${name}${index < half ? '' : '"'}\n`,
    );
    const yaml = `plugins:\n${entries.join('')}`;
    // What a project has installed under that name is another copy.
    const other = { 'node_modules/@toolkit/core/package.json': '{ "exports": { "./plugins/*": "./no.js" } }' };
    const loaded = await loadToolkitConfig(await temporaryFolder({ ...other, 'toolkit.config.yaml': yaml }));
    expect(flattenPlugins(loaded?.config.plugins ?? []).map(({ name }) => name)).to.deep.equal([...names, 'configuration-files']);
  });

  for (const [name, meant] of Object.entries({ standard: 'toolkit/standard', 'audit-trail': 'toolkit/plugins/audit-trail' }))
    it(`says that "${meant}" is built in where "${name}" is no package of the project`, async () => {
      const folder = await temporaryFolder({ 'toolkit.config.yaml': `plugins: [${name}]` });
      const { message } = await rejection(loadToolkitConfig(folder), 'CONFIG_INVALID');
      expect(message)
        .to.include(`the plugin module "${name}" does not load: built in is "${meant}". Write that.`)
        .and.not.to.include('npm');
    });

  it('gives a built-in plugin its options', async () => {
    const folder = await temporaryFolder({ '.toolkitrc': 'plugins: [[toolkit/plugins/mcp, { drainMs: 7 }]]' });
    const [first] = flattenPlugins((await loadToolkitConfig(folder))?.config.plugins ?? []);
    expect([first?.name, first?.options]).to.deep.equal(['mcp', { drainMs: 7 }]);
  });

  const unknown = {
    'audit-trial': 'Did you mean "audit-trail"?',
    shared: '',
    'adapter-openai': '',
    '../toolkit/index': '',
    'mcp/index': '',
  };
  for (const [name, advice] of Object.entries(unknown)) {
    it(`is refused with the built-in plugin "${name}", which does not exist`, async () => {
      const folder = await temporaryFolder({ 'toolkit.config.json': JSON.stringify({ plugins: [`toolkit/plugins/${name}`] }) });
      const error = await rejection(loadToolkitConfig(folder), 'CONFIG_INVALID');
      const says = `plugins[0]: the plugin module "toolkit/plugins/${name}" does not load: no built-in plugin has that name.`;
      expect(error.message).to.include(says).and.include(advice).and.not.include('npm install');
    });
  }

  it('is undefined when there is none', async () => {
    expect(await loadToolkitConfig(await temporaryFolder({ 'package.json': '{}' }))).to.equal(undefined);
  });

  it('does not run .config/config.js of the working directory', async () => {
    const folder = await temporaryFolder({
      'package.json': '{}',
      '.config/config.js': 'globalThis.configWasRun = true; module.exports = {};',
    });
    const before = process.cwd();
    try {
      process.chdir(folder);
      await loadToolkitConfig(folder);
    } finally {
      process.chdir(before);
    }
    expect(globalThis).to.not.have.property('configWasRun');
  });

  it('may hold presets and plugin objects beside module names', async () => {
    const folder = await copyOf('json');
    const file = path.join(folder, 'nested.mjs');
    await cp(path.join(folder, 'local-plugin.js'), path.join(folder, 'other.js'));
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      file,
      `import { apiVersion, definePlugin } from '@toolkit/core';
       const made = definePlugin({ name: 'made', apiVersion, apply() {} });
       export default { plugins: [[made(), [['./local-plugin.js', { label: 'x' }]]], false] };`,
    );
    const loaded = await loadToolkitConfig(folder, file);
    expect(flattenPlugins(loaded?.config.plugins ?? []).map(({ name }) => name)).to.deep.equal(['made', 'local', 'configuration-files']);
  });

  const broken = [
    { file: 'syntax.json', says: 'does not load' },
    { file: 'syntax.yaml', says: 'does not load' },
    { file: 'syntax.ts', says: 'does not load' },
    { file: 'throws.mjs', says: 'does not load: no network' },
    { file: 'number.mjs', says: 'exports the wrong thing: expected an object {plugins: […]}, received number 42' },
    { file: 'no-default.mjs', says: 'has no default export' },
    { file: 'function.mjs', says: 'exports the wrong thing: expected an object {plugins: […]}, received function' },
    { file: 'mistyped.json', says: 'pluginz is not known here. Did you mean "plugins"?' },
    { file: 'not-a-list.json', says: 'plugins expected array, received object' },
    { file: 'missing-module.json', says: 'plugins[0]: the plugin module "toolkit-plugin-that-is-not-installed" does not load' },
    {
      file: 'not-a-plugin.json',
      says: 'plugins[0]: the module "node:path" is not a plugin: expected a default export made by definePlugin',
    },
    { file: 'level.json', says: 'logLevel expected one of "silent", "error", "warn", "info", "debug", received string "verbose"' },
  ];
  for (const { file, says } of broken) {
    it(`is refused when it is like ${file}, naming the file`, async () => {
      const folder = await copyOf('broken');
      const error = await rejection(loadToolkitConfig(folder, file), 'CONFIG_INVALID');
      expect(error.message).to.include(path.join(folder, file)).and.to.include(says);
    });
  }

  it('says how the package is named now where code imports it by its old name', async () => {
    const folder = await temporaryFolder({
      'old.mjs': "import { defineConfig } from 'toolkit';\nexport default defineConfig({ plugins: [] });",
      'plugin.mjs': "import { definePlugin } from 'toolkit/kernel';\nexport default definePlugin({});",
      'old.json': '{ "plugins": ["./plugin.mjs"] }',
    });
    for (const file of ['old.mjs', 'old.json']) {
      const { message } = await rejection(loadToolkitConfig(folder, file), 'CONFIG_INVALID');
      expect(message).to.include('The package is named @toolkit/core: import from there.');
    }
  });

  const excessive = [
    { file: 'toolkit.config.yaml', text: 'plugins: &p [*p]\n', says: 'does not load: 1:14 has an alias inside what it repeats' },
    { file: 'toolkit.config.yaml', text: '? {a: b}\n: c\n', says: 'does not load: 1:3 has a map or list as a key' },
    { file: 'toolkit.config.yaml', text: `plugins: ${'['.repeat(20_000)}`, says: 'does not load: 1:73 is nested too deeply' },
    { file: 'toolkit.config.yaml', text: 'plugins: []\rpluginz: []\r', says: 'pluginz is not known here' },
    {
      file: 'toolkit.config.json',
      text: `{"plugins": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
      says: 'does not load: it holds something nested deeper than 64 levels',
    },
  ];
  for (const { file, text, says } of excessive) {
    it(`is refused in ${file} where it "${says}"`, async () => {
      const folder = await temporaryFolder({ [file]: text });
      const error = await rejection(loadToolkitConfig(folder), 'CONFIG_INVALID');
      expect(error.message).to.include(path.join(folder, file)).and.to.include(says);
    });
  }

  it('gives no advice that a shell would take for more than the name of a package', async () => {
    const folder = await temporaryFolder({ 'toolkit.config.json': '{ "plugins": ["not found; id"] }' });
    const error = await rejection(loadToolkitConfig(folder), 'CONFIG_INVALID');
    expect(error.message).to.include('not found; id').and.not.include('npm install');
  });

  it('that is named but missing is CONFIG_NOT_FOUND', async () => {
    const error = await rejection(loadToolkitConfig(await temporaryFolder(), 'nowhere.yaml'), 'CONFIG_NOT_FOUND');
    expect(error.message).to.include('nowhere.yaml');
  });
});
