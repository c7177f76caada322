import path from 'node:path';
import { expect } from 'chai';
import { apiVersion, definePlugin, formatProblem, type Kernel, type PluginEntry } from '../../../kernel/index.ts';
import { toolPackages } from '../../../plugins/tool-packages/index.ts';
import { coreTools } from '../../../plugins/toolkit/core-tools.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { projectWith, scope, shopTools, toolYaml } from './package-kernel.ts';

const gated = (name: string): string => `${toolYaml(name)}requires_approval: true\n`;

interface KernelParts {
  readonly toolPaths?: string[];
  readonly plugins?: readonly PluginEntry[];
}

/** With all that the packages of this project need as well: each of their problems would be told with its place. */
function kernelOf(cwd: string, { toolPaths = [], plugins = [] }: KernelParts = {}): Promise<Kernel> {
  const others = standard({ includeCore: false, autoDiscover: false, toolPaths });
  return bareKernel({ cwd, plugins: [...others, toolPackages({ python: false }), ...plugins] });
}

const duplicates = ({ registry }: Kernel): string[] => registry.problems.filter(({ code }) => code === 'TOOL_DUPLICATE').map(formatProblem);

describe('one tool name in two packages', () => {
  it('is offered by neither: one that sorts earlier does not replace the gated tool of the other', async () => {
    const cwd = await projectWith({ [`${scope}/a/x.yaml`]: toolYaml('bank_pay'), [`${scope}/bank/pay.yaml`]: gated('bank_pay') });
    const kernel = await kernelOf(cwd);
    const error = await rejection(kernel.execute('bank_pay'), 'TOOL_DUPLICATE');
    expect(error.message).to.include(
      `the tool "bank_pay" is defined by several packages, "@toolkit/a" (${path.join(cwd, scope, 'a/x.yaml')}) and "@toolkit/bank" (${path.join(cwd, scope, 'bank/pay.yaml')}): none of them is used. Remove all but one`,
    );
    expect(kernel.registry.tools.has('bank_pay')).to.equal(false);
    expect(duplicates(kernel)).to.have.lengthOf(1);
  });

  it('is offered by neither after a reload, where one of them was alone before', async () => {
    const cwd = await projectWith({ [`${scope}/bank/pay.yaml`]: gated('bank_pay') });
    let isThere = false;
    const late = definePlugin({
      name: 'late',
      apiVersion,
      apply: ({ hooks }) =>
        hooks.discover.tap('late', (sink) => {
          const definition = { name: 'bank_pay', description: 'd', execution: { type: 'command', command: 'true' } };
          if (isThere) sink.addTool(definition, { file: '/a.yaml', package: { name: 'late', secrets: [] } });
        }),
    });
    const kernel = await kernelOf(cwd, { plugins: [late()] });
    expect(kernel.registry.tools.has('bank_pay')).to.equal(true);
    isThere = true;
    await kernel.reload();
    expect(kernel.registry.tools.has('bank_pay')).to.equal(false);
  });

  it('twice in one package is the first of the two', async () => {
    const kernel = await kernelOf(
      await projectWith({ [`${scope}/a/x.yaml`]: toolYaml('shop_a', 'first'), [`${scope}/a/y.yaml`]: toolYaml('shop_a') }),
    );
    expect(await kernel.execute('shop_a')).to.equal('first\n');
    expect(duplicates(kernel)).to.have.lengthOf(1);
  });

  it('is that of the operator where one of toolPaths has it, which is told of the packages', async () => {
    const cwd = await projectWith({
      [`${scope}/a/x.yaml`]: toolYaml('shop_a', 'of a package'),
      [`${scope}/b/x.yaml`]: toolYaml('shop_a', 'of a package'),
      'tools/own.yaml': toolYaml('shop_a', 'own'),
    });
    // Whichever plugin comes first.
    const kernel = await kernelOf(cwd, { toolPaths: ['tools'] });
    expect(await kernel.execute('shop_a')).to.equal('own\n');
    expect(duplicates(kernel)).to.have.lengthOf(2);
    for (const problem of duplicates(kernel))
      expect(problem).to.include(`is already defined by ${path.join(cwd, 'tools/own.yaml')}; that one is used`);
  });

  it('is that of this program where it is one of its own', async () => {
    const cwd = await projectWith({ 'core/x.yaml': toolYaml('shop_a', 'core'), [`${scope}/a/x.yaml`]: toolYaml('shop_a', 'of a package') });
    const kernel = await kernelOf(cwd, { plugins: [coreTools({ directory: path.join(cwd, 'core') })] });
    expect(await kernel.execute('shop_a')).to.equal('core\n');
    expect(duplicates(kernel)).to.have.lengthOf(1);
  });
});

describe('one provider name in two packages', () => {
  it('is neither: what the operator says of that provider reaches no impostor', async () => {
    const cwd = await projectWith({
      [`${scope}/a/definition.yaml`]: 'provider: { name: bank }\n',
      [`${scope}/a/x.yaml`]: toolYaml('shop_a'),
      [`${scope}/bank/definition.yaml`]: 'provider: { name: bank }\n',
      [`${scope}/bank/pay.yaml`]: toolYaml('shop_pay'),
    });
    const kernel = await kernelOf(cwd);
    expect(kernel.registry.providers.has('bank')).to.equal(false);
    expect(shopTools(kernel)).to.deep.equal(['shop_a', 'shop_pay']);
    for (const name of shopTools(kernel)) expect(kernel.registry.tools.get(name)?.provider, name).to.equal(undefined);
    expect(duplicates(kernel)[0])
      .to.include('the provider "bank" is defined by several packages, "@toolkit/a"')
      .and.include('"@toolkit/bank"');
  });
});
