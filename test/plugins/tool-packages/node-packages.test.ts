import { chmod, chown, mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { naming, packageKernel, projectWith, scope, shopTools, toolYaml } from './package-kernel.ts';

describe('npm packages with tools', () => {
  it('are found in node_modules of the working directory, with their provider', async () => {
    const project = await projectWith({
      [`${scope}/shop/package.json`]: '{ "name": "@toolkit/shop" }',
      [`${scope}/shop/definition.yaml`]: 'provider: { name: shop }\n',
      [`${scope}/shop/buy.yaml`]: toolYaml('shop_buy'),
      [`${scope}/shop/list/definition.yaml`]: toolYaml('shop_list'),
      [`${scope}/second/tools/x.yaml`]: toolYaml('shop_second'),
    });
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal(['shop_buy', 'shop_list', 'shop_second']);
    const { origin, provider } = kernel.registry.get('shop_list');
    expect(origin).to.include({ plugin: 'tool-packages', trust: 'package', directory: path.join(project, scope, 'shop/list') });
    expect(provider?.name).to.equal('shop');
    expect(await kernel.execute('shop_buy')).to.equal('shop_buy\n');
  });

  it('with files that hold themselves, or are nested without end, give their other tools and name those files', async () => {
    const project = await projectWith({
      [`${scope}/shop/buy.yaml`]: toolYaml('shop_buy'),
      [`${scope}/shop/round.yaml`]: `${toolYaml('shop_round')}output_schema: &s { a: *s }\n`,
      [`${scope}/deep/deep.yaml`]: `${toolYaml('shop_deep')}tags: ${'['.repeat(20_000)}`,
      [`${scope}/second/tools/x.yaml`]: toolYaml('shop_second'),
    });
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal(['shop_buy', 'shop_second']);
    const named = kernel.registry.problems.map(({ file }) => file);
    expect(named).to.have.members([path.join(project, scope, 'deep/deep.yaml'), path.join(project, scope, 'shop/round.yaml')]);
  });

  it('of other scopes, and what lies in a node_modules of their own, are not', async () => {
    const project = await projectWith({
      'node_modules/shop/a.yaml': toolYaml('shop_a'),
      'node_modules/@other/shop/b.yaml': toolYaml('shop_b'),
      [`${scope}/.staging/c.yaml`]: toolYaml('shop_c'),
      [`${scope}/shop/node_modules/@toolkit/inner/d.yaml`]: toolYaml('shop_d'),
      [`${scope}/shop/e.yaml`]: toolYaml('shop_e'),
      [`${scope}/stray.yaml`]: toolYaml('shop_stray'),
    });
    expect(shopTools(await packageKernel(project))).to.deep.equal(['shop_e']);
  });

  it('are found from a folder below the project', async () => {
    const project = await projectWith({ [`${scope}/shop/a.yaml`]: toolYaml('shop_a'), 'deep/down/readme': '' });
    expect(shopTools(await packageKernel(path.join(project, 'deep/down')))).to.deep.equal(['shop_a']);
  });

  it('that are installed twice count once: the nearest', async () => {
    const project = await projectWith({
      [`${scope}/shop/a.yaml`]: toolYaml('shop_where', 'outer'),
      [`${scope}/outer/b.yaml`]: toolYaml('shop_only_outer'),
      [`app/${scope}/shop/a.yaml`]: toolYaml('shop_where', 'inner'),
      'app/package.json': naming('shop'),
    });
    const kernel = await packageKernel(path.join(project, 'app'));
    expect(shopTools(kernel)).to.deep.equal(['shop_only_outer', 'shop_where']);
    expect(await kernel.execute('shop_where')).to.equal('inner\n');
    expect(kernel.registry.problems.filter(({ file }) => file?.startsWith(project))).to.deep.equal([]);
  });

  // Only the administrator can make a folder of somebody else.
  (process.getuid?.() === 0 ? it : it.skip)('are not those that another account has put into a folder of all accounts', async () => {
    const folder = await projectWith({ [`${scope}/shop/a.yaml`]: toolYaml('shop_a'), 'own/readme': '' });
    const modules = path.join(folder, 'node_modules');
    await chmod(folder, 0o1777);
    await chown(modules, 65_534, 65_534);
    const kernel = await packageKernel(path.join(folder, 'own'));
    expect(shopTools(kernel)).to.deep.equal([]);
    const [problem] = kernel.registry.problems.filter(({ file }) => file === modules);
    expect(problem?.message).to.include('belongs to another account');
    await chmod(folder, 0o755);
    expect(shopTools(await packageKernel(path.join(folder, 'own')))).to.deep.equal(['shop_a']);
  });

  it('may be linked workspaces: their files are those of the workspace', async () => {
    const project = await projectWith({
      'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
      'packages/shop/a.yaml': toolYaml('shop_a'),
      'packages/shop/dist/a.yaml': toolYaml('shop_a'),
    });
    await mkdir(path.join(project, scope), { recursive: true });
    await symlink('../../packages/shop', path.join(project, scope, 'shop'));
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    expect(kernel.registry.get('shop_a').origin.file).to.equal(path.join(project, 'packages/shop/a.yaml'));
  });

  it('whose link leads nowhere are a problem, and the others are read', async () => {
    const project = await projectWith({ [`${scope}/shop/a.yaml`]: toolYaml('shop_a'), 'package.json': naming('shop', 'gone') });
    await symlink('../../packages/gone', path.join(project, scope, 'gone'));
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    const [problem, ...rest] = kernel.registry.problems.filter(({ file }) => file?.startsWith(project));
    expect(rest).to.deep.equal([]);
    expect(problem).to.include({ severity: 'error', code: 'TOOL_INVALID', file: path.join(project, scope, 'gone') });
    expect(problem?.message).to.include('the package "@toolkit/gone" cannot be read').and.include('Install it again');
  });

  it('with a broken file keep their other tools', async () => {
    const project = await projectWith({ [`${scope}/shop/a.yaml`]: toolYaml('shop_a'), [`${scope}/shop/b.yaml`]: 'name: "open' });
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    const problems = kernel.registry.problems.filter(({ file }) => file === path.join(project, scope, 'shop/b.yaml'));
    expect(problems.map(({ plugin }) => plugin)).to.deep.equal(['tool-packages']);
  });
});

describe('the source of packages', () => {});
