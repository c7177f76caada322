import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { fileKernel, namesOf, problemsOf } from './tool-folder.ts';

const provider = `provider:
  name: shop
authentication: { type: bearer, provider: shop }
$defs:
  account:
    type: string
    required: true
  loop: { type: array, items: { $ref: "#/$defs/loop" } }
  paging:
    limit: { type: integer, maximum: 100 }
    after: { type: string }
`;

const tool = (parameters: string, more = ''): string =>
  `name: it\ndescription: Says its name.\nparameters:\n${parameters}execution: { type: command, command: echo, args: [it] }\n${more}`;

describe('a tool file with references to its provider file', () => {
  for (const file of ['shop/it.yaml', 'shop/v2/open/it.yaml']) {
    it(`gets what is shared: ${file}`, async () => {
      const parameters = '  account: { $ref: "#/$defs/account" }\n  $ref: "#/$defs/paging"\n  limit: { $ref: "#/$defs/paging_limit" }\n';
      const definition = `${provider}  paging_limit: { type: integer, maximum: 50 }\n`;
      const text = tool(parameters, 'authentication: { required_scopes: [orders] }\n');
      const kernel = await fileKernel([await temporaryFolder({ 'shop/definition.yaml': definition, [file]: text })]);
      expect(problemsOf(kernel)).to.deep.equal([]);
      const { inputSchema, definition: linked } = kernel.registry.get('it');
      expect(inputSchema).to.deep.equal({
        type: 'object',
        properties: { account: { type: 'string' }, after: { type: 'string' }, limit: { type: 'integer', maximum: 50 } },
        required: ['account'],
        additionalProperties: false,
      });
      expect(linked.authentication).to.deep.equal({ type: 'bearer', provider: 'shop', required_scopes: ['orders'] });
    });
  }

  const refused = [
    {
      what: 'a name that is not there',
      text: tool('  account:\n    $ref: "#/$defs/acount"\n'),
      at: '5:5 parameters.account.$ref',
      says: (folder: string) =>
        `refers to "#/$defs/acount", which ${folder}/shop/definition.yaml does not have. Did you mean "account"? Expected one of account, loop, paging`,
    },
    {
      what: 'a map that is not there',
      text: tool('  q: { type: string }\n  $ref: "#/$defs/pages"\n'),
      at: '5:3 parameters.$ref',
      says: (folder: string) =>
        `refers to "#/$defs/pages", which ${folder}/shop/definition.yaml does not have. Expected one of account, loop, paging`,
    },
    {
      what: 'a circle',
      text: tool('  loop: { type: array, items: { $ref: "#/$defs/loop" } }\n'),
      at: '4:33 parameters.loop.items.$ref',
      says: (folder: string) => `refers to "#/$defs/loop" in a circle: loop → loop (in ${folder}/shop/definition.yaml)`,
    },
    {
      what: 'an entry of another kind',
      text: tool('  limit: { $ref: "#/$defs/paging" }\n'),
      at: '4:12 parameters.limit.$ref',
      says: (folder: string) =>
        `refers to "#/$defs/paging" of ${folder}/shop/definition.yaml, which is no parameter: limit: is not known here`,
    },
    {
      what: 'a mistyped key beside a reference',
      text: tool('  account: { $ref: "#/$defs/account", requierd: false }\n'),
      at: '4:39 parameters.account.requierd',
      says: () => 'is not known here. Did you mean "required"?',
    },
    {
      what: 'a mistyped reference',
      text: tool('  account: { ref: "#/$defs/account" }\n'),
      at: '4:14 parameters.account.ref',
      says: () => 'is not known here. Did you mean "$ref"?',
    },
    {
      what: 'a reference without its key',
      text: tool('  account: "#/$defs/account"\n'),
      at: '4:3 parameters.account',
      says: () => 'expected object, received string "#/$defs/account"',
    },
  ];
  for (const { what, text, at, says } of refused) {
    it(`is refused for ${what}, with its place`, async () => {
      const folder = await temporaryFolder({ 'shop/definition.yaml': provider, 'shop/it.yaml': text });
      const kernel = await fileKernel([folder]);
      expect(namesOf(kernel)).to.deep.equal([]);
      const [problem = ''] = problemsOf(kernel);
      expect(problem.startsWith(`error ${path.join(folder, 'shop/it.yaml')}:${at}: ${says(folder)}`), problem).to.equal(true);
      expect(problemsOf(kernel)).to.have.length(1);
    });
  }

  it('is told which file it lacks', async () => {
    const folder = await temporaryFolder({ 'shop/it.yaml': tool('  account: { $ref: "#/$defs/account" }\n') });
    expect(problemsOf(await fileKernel([folder]))).to.deep.equal([
      `error ${folder}/shop/it.yaml:4:14 parameters.account.$ref: refers to "#/$defs/account", but no provider file is known here. Expected ${folder}/shop/definition.yaml, or one in a folder above, with "provider" and "$defs"`,
    ]);
  });

  it('is told so as well when the provider file is refused', async () => {
    const files = { 'shop/definition.yaml': `${provider}base_uri: x\n`, 'shop/it.yaml': tool('  account: { $ref: "#/$defs/account" }\n') };
    const kernel = await fileKernel([await temporaryFolder(files)]);
    expect(namesOf(kernel)).to.deep.equal([]);
    expect(problemsOf(kernel).join('\n')).to.include('Did you mean "base_url"?').and.include('no provider file is known here');
  });

  it('tells what is wrong with a shared parameter in the provider file', async () => {
    const files = {
      'shop/definition.yaml': provider.replace('required: true', 'required: true\n    patern: a'),
      'shop/it.yaml': tool('  a: {}\n'),
    };
    const folder = await temporaryFolder(files);
    const [problem] = problemsOf(await fileKernel([folder]));
    expect(problem).to.equal(`error ${folder}/shop/definition.yaml:8:5 $defs.account.patern: is not known here. Did you mean "pattern"?`);
  });
});
