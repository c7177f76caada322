import path from 'node:path';
import { expect } from 'chai';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { checkPlugin } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fileKernel, namesOf, problemsOf, toolYaml } from './tool-folder.ts';

const provider = (name: string): string =>
  `provider:\n  name: ${name}\nbase_url: https://${name}.example/api\nparameter_mapping:\n  - { parameter: account, env_pattern: ${name.toUpperCase()}_ACCOUNT }\n`;

const request = (name: string): string =>
  `name: ${name}\ndescription: Asks.\nexecution: { type: http, method: get, url: "/v1/{account}" }\n`;

describe('a provider file', () => {
  const layouts = [
    { what: 'beside it', file: 'shop/it.yaml' },
    { what: 'one folder below it', file: 'shop/it/definition.yaml' },
    { what: 'deep below it', file: 'shop/v2/orders/open/it.yaml' },
  ];
  for (const { what, file } of layouts) {
    it(`is the provider of a tool ${what}`, async () => {
      const kernel = await fileKernel([await temporaryFolder({ 'shop/definition.yaml': provider('shop'), [file]: request('it') })]);
      const tool = kernel.registry.get('it');
      expect(problemsOf(kernel)).to.deep.equal([]);
      expect(tool.provider?.name).to.equal('shop');
      expect(tool.execution['url']).to.equal('https://shop.example/api/v1/{account}');
      expect(tool.credentials).to.deep.equal([{ name: 'account', secret: 'SHOP_ACCOUNT', required: true, isSecret: true }]);
    });
  }

  it('may have any name', async () => {
    const kernel = await fileKernel([await temporaryFolder({ 'shop/provider.yml': provider('shop'), 'shop/it.yaml': request('it') })]);
    expect(kernel.registry.get('it').provider?.name).to.equal('shop');
  });

  it('counts for its own folder only, and the nearest one counts', async () => {
    const folder = await temporaryFolder({
      'definition.yaml': provider('outer'),
      'inner/definition.yaml': provider('inner'),
      'inner/it.yaml': request('in_inner'),
      'beside/it.yaml': request('in_outer'),
    });
    const kernel = await fileKernel([folder]);
    const provided = [...kernel.registry.tools.values()].map(({ name, provider: found }) => [name, found?.name]);
    expect(provided).to.deep.equal([
      ['in_inner', 'inner'],
      ['in_outer', 'outer'],
    ]);
  });

  it('that is refused does not take its tools with it when they do not need it', async () => {
    const folder = await temporaryFolder({ 'shop/definition.yaml': 'provider: { nam: shop }\n', 'shop/it.yaml': toolYaml('it') });
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['it']);
    expect(problemsOf(kernel).join()).to.include('Did you mean "name"?');
  });
});

describe('a key that nobody knows', () => {
  it('is a warning at its place, and is left out of the definition', async () => {
    const folder = await temporaryFolder({
      'it.yaml': toolYaml('it', 'cost_center: 12\nparameters:\n  to: { type: string, label: To }\n'),
    });
    const kernel = await fileKernel([folder]);
    const file = path.join(folder, 'it.yaml');
    const problems = problemsOf(kernel);
    expect(problems).to.have.length(2);
    expect(problems[0]).to.match(new RegExp(`^warning ${file}:7:1 cost_center: is not known here\\. Expected name, description`));
    expect(problems[1]).to.match(new RegExp(`^warning ${file}:9:23 parameters\\.to\\.label: is not known here`));
    const { definition } = kernel.registry.get('it');
    expect(definition).to.not.have.property('cost_center');
    expect(definition.parameters?.['to']).to.deep.equal({ type: 'string' });
    expect(await kernel.execute('it')).to.equal('it\n');
  });

  it('that begins with x- is free at every level', async () => {
    const more = 'x-team: { name: shop }\nparameters:\n  to: { type: string, x-label: To }\nannotations: { x-icon: cart }\n';
    const folder = await temporaryFolder({ 'it.yaml': toolYaml('it', more), 'shop.yaml': `${provider('shop')}x-owner: me\n` });
    const kernel = await fileKernel([folder]);
    expect(problemsOf(kernel)).to.deep.equal([]);
    expect(kernel.registry.get('it').definition).to.have.property('x-team').that.deep.equals({ name: 'shop' });
  });
});

describe('two definitions of one name', () => {
  it('are an error that names both files; the first is kept', async () => {
    const folder = await temporaryFolder({ 'a/x.yaml': toolYaml('same', 'risk: low\n'), 'b/x.yaml': toolYaml('same', 'risk: high\n') });
    const kernel = await fileKernel([folder]);
    expect(kernel.registry.get('same').risk).to.equal('low');
    const [problem, ...rest] = kernel.registry.problems;
    expect(rest).to.deep.equal([]);
    expect(problem).to.include({ severity: 'error', code: 'TOOL_DUPLICATE', file: path.join(folder, 'b/x.yaml') });
    expect(problem?.position).to.deep.equal({ line: 1, column: 1 });
    expect(problem?.message).to.include(path.join(folder, 'a/x.yaml')).and.include(path.join(folder, 'b/x.yaml'));
  });

  it('are an error for providers as well', async () => {
    const kernel = await fileKernel([await temporaryFolder({ 'a/p.yaml': provider('shop'), 'b/p.yaml': provider('shop') })]);
    expect(kernel.registry.problems.map(({ code }) => code)).to.deep.equal(['TOOL_DUPLICATE']);
    expect(problemsOf(kernel)[0]).to.include('the provider "shop" is already defined by').and.include('a/p.yaml').and.include('b/p.yaml');
  });

  it('one of which is refused are no conflict', async () => {
    const folder = await temporaryFolder({ 'a.yaml': toolYaml('same', 'risk: extreme\n'), 'b.yaml': toolYaml('same') });
    const kernel = await fileKernel([folder]);
    expect(namesOf(kernel)).to.deep.equal(['same']);
    expect(kernel.registry.problems.map(({ code }) => code)).to.deep.equal(['TOOL_INVALID']);
  });
});

describe('a YAML file that is no definition', () => {
  const texts = [
    '',
    '# only a comment\n',
    'just text\n',
    '- a\n- b\n',
    'services:\n  web: { image: nginx }\n',
    'openapi: 3.1.0\ninfo: { title: Shop }\n',
    'name: CI\non: [push]\njobs: {}\n',
    '42\n',
  ];
  for (const text of texts) {
    it(`is passed over: ${JSON.stringify(text)}`, async () => {
      const kernel = await fileKernel([await temporaryFolder({ 'other.yaml': text, 'it.yaml': toolYaml('it') })]);
      expect(namesOf(kernel)).to.deep.equal(['it']);
      expect(problemsOf(kernel)).to.deep.equal([]);
    });
  }
});

describe('the source of tool files', () => {
  it('is a plugin that keeps the contract', async () => {
    expect(
      await checkPlugin(toolFiles, { toolPaths: ['./fixtures/tools'] }, { beside: [executorCommand(), approvalGate()] }),
    ).to.deep.equal([]);
  });
});
