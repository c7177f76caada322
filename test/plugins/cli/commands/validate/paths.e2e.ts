import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../../../kernel/index.ts';
import { executorCommand, standard } from '../../../../../plugins/toolkit/index.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { goodTool, ownTools, validated } from './validated.ts';

const provider = 'provider: { name: shop }\nbase_url: https://shop.example\n';
const relative = goodTool('shop_list').replace(/^execution.*$/m, "execution: { type: http, method: get, url: '/{text}' }");
const stray =
  'holds no tool, provider or skill. Expected a SKILL.md, or YAML with "name" and "execution" (a tool) or "provider" (a provider); what is hidden, node_modules and dist are not searched';

describe('the paths that are validated', () => {
  it('are counted, whether they are good or not', async () => {
    const cwd = await temporaryFolder({
      'tools/shop/definition.yaml': provider,
      'tools/shop/list.yaml': relative,
      'tools/shop/SKILL.md': '---\nname: shop\ndescription: How to shop.\n---\n',
      'tools/say.yaml': goodTool('say', 'risk: enormous\n'),
    });
    expect((await validated(cwd)).split('\n').at(-2)).to.equal('2 tools, 1 provider, 1 skill: 1 error, 0 warnings');
  });

  it('are all that is looked at', async () => {
    const cwd = await temporaryFolder({ 'tools/bad.yaml': goodTool('say', 'risk: enormous\n'), 'mine/say.yaml': goodTool('say') });
    expect(await validated(cwd, { paths: ['mine'] })).to.equal('1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n');
  });

  it('are all that the configuration loads where none is given', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say'), 'mine/say.yaml': goodTool('say', 'risk: enormous\n') });
    expect(await validated(cwd, { paths: [] })).to.equal('1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n');
  });

  it('are compared with everything else: a name that another file of the configuration has is told', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say'), 'mine/say.yaml': goodTool('say') });
    expect(await validated(cwd, { paths: ['mine'] })).to.equal(
      `mine/say.yaml:1:1: error: the tool "say" is already defined by tools/say.yaml; that one is used. Rename one of the two (mine/say.yaml is the other)\n1 tool, 0 providers, 0 skills: 1 error, 0 warnings\n`,
    );
    expect(await validated(cwd, { paths: ['tools'] })).to.equal('1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n');
  });

  it('are compared with the core tools as well, whose names cannot be taken', async () => {
    const cwd = await temporaryFolder({ 'mine/time.yaml': goodTool('time_now') });
    expect(await validated(cwd, { paths: ['mine'], plugins: [standard({ autoDiscover: false })] })).to.equal(
      `mine/time.yaml:1:1: error: the tool "time_now" is not used: the name belongs to a tool that comes with this program, which cannot be replaced. Give yours another name\n1 tool, 0 providers, 0 skills: 1 error, 0 warnings\n`,
    );
  });

  it('may overlap', async () => {
    const cwd = await temporaryFolder({ 'tools/shop/definition.yaml': provider, 'tools/shop/list.yaml': relative });
    const paths = ['tools/shop/list.yaml', 'tools', 'tools/shop', './tools/shop/definition.yaml', 'tools'];
    expect(await validated(cwd, { paths })).to.equal('1 tool, 1 provider, 0 skills: 0 errors, 0 warnings\n');
  });

  it('get the provider of the nearest folder above, which is not counted', async () => {
    const cwd = await temporaryFolder({
      'shop/definition.yaml': provider,
      'shop/other.yaml': goodTool('other', 'risk: enormous\n'),
      'shop/lists/deep/list.yaml': relative,
      'shop/torn.yaml': 'provider: [\n',
      'definition.yaml': provider.replace('base_url', 'base_ulr'),
    });
    const summary = '1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n';
    expect(await validated(cwd, { paths: ['shop/lists/deep'] })).to.equal(summary);
    expect(await validated(cwd, { paths: ['shop/lists/deep', 'shop/lists/deep/list.yaml'] })).to.equal(summary);
    const given = ['shop/definition.yaml', 'shop/lists'];
    expect(await validated(cwd, { paths: given })).to.equal(summary.replace('0 providers', '1 provider'));
  });

  it('need no other provider when they have their own', async () => {
    const cwd = await temporaryFolder({
      'definition.yaml': provider.replace('base_url', 'base_ulr'),
      'shop/definition.yaml': provider,
      'shop/list.yaml': relative,
    });
    expect(await validated(cwd, { paths: ['shop'] })).to.equal('1 tool, 1 provider, 0 skills: 0 errors, 0 warnings\n');
  });

  it('get no provider from beyond the working directory', async () => {
    const folder = await temporaryFolder({ 'definition.yaml': provider, 'project/lists/list.yaml': relative });
    expect(await validated(path.join(folder, 'project'), { paths: ['lists'] })).to.match(/^lists\/list\.yaml:5:39: error: execution\.url /);
  });

  it('get no provider from beyond a package.json', async () => {
    const cwd = await temporaryFolder({ 'definition.yaml': provider, 'shop/package.json': '{}', 'shop/lists/list.yaml': relative });
    expect(await validated(cwd, { paths: ['shop/lists/list.yaml'] })).to.equal(
      `shop/lists/list.yaml:5:39: error: execution.url expected a provider file with "base_url" beside the tool, itself without a problem, or an absolute URL, received "/{text}"\n1 tool, 0 providers, 0 skills: 1 error, 0 warnings\n`,
    );
  });

  it('are warned of when there is no definition in them', async () => {
    const cwd = await temporaryFolder({ 'empty/notes.txt': '', 'compose.yaml': 'services: {}\n', 'tools/say.yaml': goodTool('say') });
    expect(await validated(cwd, { paths: ['tools', 'empty', 'compose.yaml'] })).to.equal(
      `compose.yaml: warning: ${stray}\nempty: warning: ${stray}\n1 tool, 0 providers, 0 skills: 0 errors, 2 warnings\n`,
    );
  });

  it('are shown absolute where they are not below the working directory', async () => {
    const cwd = await temporaryFolder();
    const elsewhere = path.join(
      await temporaryFolder({ 'package.json': '{}', 'say.yaml': goodTool('say', 'risk: enormous\n') }),
      'say.yaml',
    );
    expect((await validated(cwd, { paths: [elsewhere] })).split('\n')[0]).to.match(/^\/.*\/say\.yaml:3:1: error: risk expected one of/);
  });

  it('may hold files that cannot be read, which hide nothing', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say', 'risk: enormous\n') });
    await symlink('nowhere.yaml', path.join(cwd, 'tools/gone.yaml'));
    const lines = (await validated(cwd)).split('\n');
    expect(lines[0]).to.match(/^tools\/gone\.yaml: error: cannot be read: ENOENT: /);
    expect(lines[1]).to.match(/^tools\/say\.yaml:3:1: error: risk expected/);
    expect(lines[2]).to.equal('1 tool, 0 providers, 0 skills: 2 errors, 0 warnings');
  });

  it('may be gone when they are read', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say') });
    expect(await validated(cwd, { paths: ['absent', 'tools'] })).to.match(
      /^absent: error: cannot be read: ENOENT: .*\n1 tool, 0 providers, 0 skills: 1 error, 0 warnings\n$/,
    );
  });

  it('may hold hundreds of files', async () => {
    const cwd = await temporaryFolder();
    await mkdir(path.join(cwd, 'tools'));
    const name = (index: number): string => `say_${String(index).padStart(4, '0')}`;
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        writeFile(path.join(cwd, 'tools', `${name(index)}.yaml`), goodTool(name(index), index % 2 === 0 ? '' : 'risk: enormous\n')),
      ),
    );
    const lines = (await validated(cwd)).split('\n');
    expect(lines).to.have.length(152);
    expect(lines[149]).to.match(/^tools\/say_0299\.yaml:3:1: error: risk expected/);
    expect(lines[150]).to.equal('300 tools, 0 providers, 0 skills: 150 errors, 0 warnings');
  });
});

describe('the plugins of the configuration', () => {
  const bare = { name: 'bare', description: 'Bare.', execution: { type: 'command', command: 'true' } };
  const inline = (trust: 'operator' | 'package') =>
    definePlugin({
      name: 'inline',
      apiVersion,
      apply({ hooks }) {
        hooks.discover.tap('inline', (sink) => {
          sink.addTool(bare, { trust });
          sink.addTool({ ...bare, name: 'worse', parameters: { n: { type: 'integer', default: 'one' } } }, { trust });
        });
      },
    })();

  it('may give tools without a file, which are named', async () => {
    const text = await validated(await temporaryFolder(), { paths: [], plugins: [executorCommand(), inline('operator')] });
    expect(text.split('\n')).to.include.members([
      'tool bare (plugin inline): warning: description has 5 characters. Say in at least 20 what the tool does and when to choose it',
      'tool worse (plugin inline): error: parameters.n.default expected integer, received string "one"',
      '2 tools, 0 providers, 0 skills: 1 error, 7 warnings',
    ]);
  });

  it('give no advice about what comes from packages, but errors', async () => {
    const text = await validated(await temporaryFolder(), { paths: [], plugins: [executorCommand(), inline('package')] });
    expect(text).to.equal(
      'tool worse (plugin inline): error: parameters.n.default expected integer, received string "one"\n2 tools, 0 providers, 0 skills: 1 error, 0 warnings\n',
    );
  });

  it('are named when they fail to discover', async () => {
    const failing = definePlugin({
      name: 'failing',
      apiVersion,
      apply({ hooks }) {
        hooks.discover.tap('failing', () => {
          throw new Error('the disk is full');
        });
      },
    });
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say') });
    const plugins = [...ownTools, failing()];
    expect(await validated(cwd, { paths: [], plugins })).to.equal(
      'plugin failing: error: Plugin "failing" failed in "discover": the disk is full\n1 tool, 0 providers, 0 skills: 1 error, 0 warnings\n',
    );
    expect(await validated(cwd, { plugins })).to.equal('1 tool, 0 providers, 0 skills: 0 errors, 0 warnings\n');
  });

  it('say which executors there are', async () => {
    const cwd = await temporaryFolder({ 'tools/say.yaml': goodTool('say') });
    expect(await validated(cwd, { plugins: [] })).to.match(/^tools\/say\.yaml:5:14: error: no plugin executes type "command"/);
  });
});
