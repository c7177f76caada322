import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { formatProblem, type Kernel } from '../../../kernel/index.ts';
import { findNodePackages } from '../../../plugins/tool-packages/node-packages.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { naming, packageKernel, scope, shopTools, toolYaml } from './package-kernel.ts';

const record = 'toolkit_shop/a.yaml,sha256=abc,12\n';

/** Returns the messages about the package `shop` of either kind, or about the packages in the options. */
function said(kernel: Kernel): string[] {
  const ofShop = kernel.registry.problems.filter(({ message }) => /toolkit[/-](shop|absent)"/.test(message));
  return ofShop.map((problem) => `${problem.severity} ${formatProblem(problem)}`);
}

describe('an npm package', () => {
  const install = { [`${scope}/shop/a.yaml`]: toolYaml('shop_a') };
  const taken: readonly { readonly what: string; readonly files: Readonly<Record<string, string>>; readonly from?: string }[] = [
    ...['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].map((key) => ({
      what: `named in ${key}`,
      files: { 'package.json': JSON.stringify({ [key]: { '@toolkit/shop': '^1.0.0' } }) },
    })),
    { what: 'named by a package.json further up', files: { 'package.json': naming('shop'), 'app/package.json': '{}' }, from: 'app' },
    { what: 'named by a package.json further down', files: { 'package.json': '{}', 'app/package.json': naming('shop') }, from: 'app' },
  ];
  for (const { what, files, from = '.' } of taken) {
    it(`is taken when it is ${what}`, async () => {
      const project = await temporaryFolder({ ...install, ...files });
      const kernel = await packageKernel(path.join(project, from));
      expect(shopTools(kernel)).to.deep.equal(['shop_a']);
      expect(said(kernel)).to.deep.equal([]);
    });
  }

  const left: readonly { readonly what: string; readonly files: Readonly<Record<string, string>> }[] = [
    { what: 'without any package.json', files: {} },
    {
      what: 'that came along with another package',
      files: { 'package.json': naming('desk'), [`${scope}/desk/package.json`]: naming('shop') },
    },
    { what: 'that only the package itself names', files: { [`${scope}/shop/package.json`]: naming('shop') } },
    { what: 'beside a damaged package.json', files: { 'package.json': '{"dependencies": {"@toolkit/shop": "*"}' } },
    { what: 'beside a package.json that is a list', files: { 'package.json': '[{"dependencies": {"@toolkit/shop": "*"}}]' } },
    { what: 'that overrides name', files: { 'package.json': '{"overrides": {"@toolkit/shop": "1"}}' } },
  ];
  for (const { what, files } of left) {
    it(`is not taken ${what}, which is said once with the way out`, async () => {
      const project = await temporaryFolder({ ...install, ...files });
      const kernel = await packageKernel(project);
      expect(shopTools(kernel)).to.deep.equal([]);
      expect(said(kernel)).to.deep.equal([
        `warning ${path.join(project, scope, 'shop')} the package "@toolkit/shop" is installed, but the project does not name it: its tools are not loaded. Add it to the dependencies of package.json or to "allowPackages" of standard() or tool-packages`,
      ]);
    });
  }

  it('is taken when the operator allows it', async () => {
    const kernel = await packageKernel(await temporaryFolder(install), { python: false, allowPackages: ['@toolkit/shop'] });
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    expect(said(kernel)).to.deep.equal([]);
  });

  it('that options name and that is not there is told', async () => {
    const kernel = await packageKernel(await temporaryFolder(), { python: false, allowPackages: ['@toolkit/absent'] });
    expect(said(kernel)).to.deep.equal([
      'warning tool-packages the options name the package "@toolkit/absent", which is not installed. Correct the name, or install it',
    ]);
  });

  const workspaces: readonly { readonly pattern: unknown; readonly isTaken: boolean }[] = [
    { pattern: ['packages/shop'], isTaken: true },
    { pattern: ['./packages/*/'], isTaken: true },
    { pattern: ['**'], isTaken: true },
    { pattern: { packages: ['packages/*'] }, isTaken: true },
    { pattern: ['packages'], isTaken: false },
    { pattern: ['*'], isTaken: false },
    { pattern: ['packages/sho'], isTaken: false },
    { pattern: ['packages.shop'], isTaken: false },
  ];
  for (const { pattern, isTaken } of workspaces) {
    it(`that is linked from packages/shop is ${isTaken ? '' : 'not '}a workspace of ${JSON.stringify(pattern)}`, async () => {
      const project = await temporaryFolder({
        'package.json': JSON.stringify({ workspaces: pattern }),
        'packages/shop/a.yaml': toolYaml('shop_a'),
      });
      await mkdir(path.join(project, scope), { recursive: true });
      await symlink('../../packages/shop', path.join(project, scope, 'shop'));
      expect(shopTools(await packageKernel(project))).to.deep.equal(isTaken ? ['shop_a'] : []);
    });
  }

  it('that is this program is no package of tools', async () => {
    const project = await temporaryFolder({ 'package.json': naming('core'), [`${scope}/core/tools/a.yaml`]: toolYaml('shop_a') });
    const kernel = await packageKernel(project);
    expect(shopTools(kernel)).to.deep.equal([]);
    expect(kernel.registry.problems.filter(({ file }) => file?.startsWith(project))).to.deep.equal([]);
  });

  const besideProgram: readonly { readonly what: string; readonly files: Readonly<Record<string, string>>; readonly isTaken: boolean }[] = [
    { what: 'installed globally', files: {}, isTaken: true },
    { what: 'a dependency of the project of the program', files: { 'lib/package.json': naming('shop') }, isTaken: true },
    { what: 'along with others in the project of the program', files: { 'lib/package.json': '{}' }, isTaken: false },
  ];
  for (const { what, files, isTaken } of besideProgram) {
    it(`beside the running program is ${isTaken ? '' : 'not '}taken when it is ${what}`, async () => {
      const folder = await temporaryFolder({
        [`lib/${scope}/shop/a.yaml`]: '',
        [`lib/${scope}/core/package.json`]: '{}',
        'home/x': '',
        ...files,
      });
      const { named: taken, unnamed: others } = await findNodePackages(path.join(folder, 'home'), {
        program: path.join(folder, 'lib', scope, 'core/dist'),
      });
      expect((isTaken ? taken : others).map(({ name }) => name)).to.deep.equal(['@toolkit/shop']);
      expect(isTaken ? others : taken).to.deep.equal([]);
    });
  }

  it('beside the running program is not taken as a global one inside the project where one works', async () => {
    const folder = await temporaryFolder({ [`${scope}/shop/a.yaml`]: '', [`${scope}/core/package.json`]: '{}' });
    const { named: taken } = await findNodePackages(folder, { program: path.join(folder, scope, 'core/dist') });
    expect(taken).to.deep.equal([]);
  });
});

describe('a Python distribution', () => {
  const installed = { 'site/toolkit_shop-1.0.dist-info/RECORD': record, 'site/toolkit_shop/a.yaml': toolYaml('shop_a') };
  const named = [
    { file: 'requirements.txt', text: '# tools\ntoolkit-shop==1.0 ; python_version > "3"\n' },
    { file: 'requirements-dev.txt', text: 'Toolkit_Shop[extra]>=1\r\n' },
    { file: 'pyproject.toml', text: '[project]\nname = "app"\ndependencies = ["toolkit.shop ~= 1.0"]\n' },
    { file: 'pyproject.toml', text: '[project.optional-dependencies]\nchat = ["toolkit-shop"]\n' },
    { file: 'pyproject.toml', text: '[dependency-groups]\ndev = [{ include-group = "x" }, "toolkit-shop"]\n' },
    { file: 'pyproject.toml', text: '[project]\nname = "toolkit-shop"\n' },
  ];
  for (const { file, text } of named) {
    it(`is taken when ${file} says ${JSON.stringify(text)}`, async () => {
      const folder = await temporaryFolder({ ...installed, [`app/${file}`]: text });
      const kernel = await packageKernel(path.join(folder, 'app'), { pythonPaths: [path.join(folder, 'site')] });
      expect(shopTools(kernel)).to.deep.equal(['shop_a']);
      expect(said(kernel)).to.deep.equal([]);
    });
  }

  const unnamed = [
    { file: 'requirements.txt', text: '# toolkit-shop\ntoolkit-shopping\n-r toolkit-shop\n' },
    { file: 'pyproject.toml', text: '[project]\ndescription = "toolkit-shop"\ndependencies = "toolkit-shop"\n' },
    { file: 'pyproject.toml', text: '[project\ndependencies = ["toolkit-shop"]' },
    { file: 'notes.txt', text: 'toolkit-shop' },
  ];
  for (const { file, text } of unnamed) {
    it(`is not taken when ${file} says ${JSON.stringify(text)}, which is said`, async () => {
      const folder = await temporaryFolder({ ...installed, [`app/${file}`]: text });
      const kernel = await packageKernel(path.join(folder, 'app'), { pythonPaths: [path.join(folder, 'site')] });
      expect(shopTools(kernel)).to.deep.equal([]);
      expect(said(kernel)).to.have.lengthOf(1);
      expect(said(kernel)[0]).to.include('the package "toolkit-shop" is installed').and.include('requirements.txt');
    });
  }

  it('is taken when the operator allows it, and this program is none', async () => {
    const core = { 'site/toolkit_core-1.0.dist-info/RECORD': 'toolkit_core/b.yaml,,\n', 'site/toolkit_core/b.yaml': toolYaml('shop_b') };
    const folder = await temporaryFolder({ ...installed, ...core, 'app/x': '' });
    const allowPackages = ['toolkit_shop', 'toolkit-core'];
    const kernel = await packageKernel(path.join(folder, 'app'), { pythonPaths: [path.join(folder, 'site')], allowPackages });
    expect(shopTools(kernel)).to.deep.equal(['shop_a']);
    expect(said(kernel)).to.deep.equal([]);
  });
});
