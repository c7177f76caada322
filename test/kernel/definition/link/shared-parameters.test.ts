import { expect } from 'chai';
import type { Kernel, Tool } from '../../../../kernel/index.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';

const owner = { type: 'string', required: true, description: 'Who owns it.', example: 'octo-org' };
const page = { type: 'integer', minimum: 1, maximum: 100, default: 1 };
const paging = { page: { $ref: '#/$defs/page' }, after: { type: 'string' } };
const search = { q: { type: 'string', required: true }, $ref: '#/$defs/paging' };
const $defs = { owner, page, paging, search };

type Definition = Readonly<Record<string, unknown>>;

async function kernelOf(parameters: Definition, shared: Definition = $defs, more: Definition = {}): Promise<Kernel> {
  const provider = { provider: { name: 'p' }, $defs: shared };
  return testKernel({ providers: [provider], tools: [echoTool({ provider: 'p', parameters, ...more })] });
}

async function linked(parameters: Definition, shared?: Definition): Promise<Tool> {
  const kernel = await kernelOf(parameters, shared);
  expect(kernel.registry.problems).to.deep.equal([]);
  return kernel.registry.get('echo');
}

const rules: readonly { rule: string; parameters: Definition; gives: Definition }[] = [
  { rule: 'is the parameter that the provider shares', parameters: { owner: { $ref: '#/$defs/owner' } }, gives: { owner } },
  {
    rule: 'may serve parameters of other names',
    parameters: { head: { $ref: '#/$defs/owner' }, base: { $ref: '#/$defs/owner' } },
    gives: { head: owner, base: owner },
  },
  {
    rule: 'stands back behind the members beside it',
    parameters: { owner: { $ref: '#/$defs/owner', required: false, description: 'Whose gists.', maxLength: 39 } },
    gives: { owner: { ...owner, required: false, description: 'Whose gists.', maxLength: 39 } },
  },
  {
    rule: 'may stand behind them',
    parameters: { owner: { description: 'Whose gists.', $ref: '#/$defs/owner' } },
    gives: { owner: { ...owner, description: 'Whose gists.' } },
  },
  {
    rule: 'may be that of an item',
    parameters: { owners: { type: 'array', items: { $ref: '#/$defs/owner' } } },
    gives: { owners: { type: 'array', items: owner } },
  },
  {
    rule: 'may be that of a property',
    parameters: { of: { type: 'object', properties: { owner: { $ref: '#/$defs/owner' } } } },
    gives: { of: { type: 'object', properties: { owner } } },
  },
  {
    rule: 'may be that of further members',
    parameters: { of: { type: 'object', additionalProperties: { $ref: '#/$defs/owner' } } },
    gives: { of: { type: 'object', additionalProperties: owner } },
  },
  {
    rule: 'may be the whole map, and what is shared there may refer on',
    parameters: { $ref: '#/$defs/paging' },
    gives: { page, after: { type: 'string' } },
  },
  {
    rule: 'may be the whole map, beside parameters of the tool',
    parameters: { q: { type: 'string' }, $ref: '#/$defs/paging', page: { $ref: '#/$defs/page', maximum: 50 } },
    gives: { q: { type: 'string' }, page: { ...page, maximum: 50 }, after: { type: 'string' } },
  },
  {
    rule: 'may be a map that begins with another map',
    parameters: { $ref: '#/$defs/search', after: { type: 'integer' } },
    gives: { q: search.q, page, after: { type: 'integer' } },
  },
  {
    rule: 'is not looked for in values',
    parameters: { schema: { type: 'object', default: { $ref: '#/$defs/nobody' }, example: { $ref: '#/$defs/nobody' } } },
    gives: { schema: { type: 'object', default: { $ref: '#/$defs/nobody' }, example: { $ref: '#/$defs/nobody' } } },
  },
];

describe('a reference among parameters', () => {
  for (const { rule, parameters, gives } of rules) {
    it(rule, async () => {
      const tool = await linked(parameters);
      expect(tool.definition.parameters).to.deep.equal(gives);
      expect(tool.parameters).to.deep.equal(gives);
    });
  }

  it('keeps the order in which the parameters are written', async () => {
    const { inputSchema } = await linked({ q: { type: 'string' }, $ref: '#/$defs/paging', z: { type: 'string' } });
    expect(Object.keys(inputSchema['properties'] as object)).to.deep.equal(['q', 'page', 'after', 'z']);
    const { parameters } = await linked({ page: { $ref: '#/$defs/page', maximum: 50, multipleOf: 5 } });
    expect(Object.keys(parameters['page'] ?? {})).to.deep.equal(['type', 'minimum', 'maximum', 'default', 'multipleOf']);
  });

  it('leaves no trace: schemas, hash and checks are those of a tool that writes all out', async () => {
    const short = await linked({ owner: { $ref: '#/$defs/owner' }, $ref: '#/$defs/paging' });
    const long = await linked({ owner, page, after: paging.after });
    expect(JSON.stringify(short.inputSchema)).to.equal(JSON.stringify(long.inputSchema));
    expect(short.hash).to.equal(long.hash);
  });

  it('is checked, and has its default, when the tool is called', async () => {
    const kernel = await kernelOf({ owner: { $ref: '#/$defs/owner' }, page: { $ref: '#/$defs/page' } });
    expect(await kernel.execute('echo', { owner: 'ada' })).to.deep.equal({ owner: 'ada', page: 1 });
    const error = await kernel.execute('echo', { page: 101 }).catch((thrown: unknown) => thrown);
    expect(error).to.have.nested.property('details.issues').that.has.length(2);
  });
});

const tree = { type: 'array', items: { $ref: '#/$defs/tree' } };
const doubled = Object.fromEntries(
  Array.from({ length: 12 }, (_, level) => [
    `l${level}`,
    { type: 'object', properties: { a: { $ref: `#/$defs/l${level + 1}` }, b: { $ref: `#/$defs/l${level + 1}` } } },
  ]),
);

const refusals: readonly { what: string; parameters: Definition; shared?: Definition; path: string; says: string }[] = [
  {
    what: 'a name that nobody shares',
    parameters: { owner: { $ref: '#/$defs/ownr' } },
    path: 'parameters.owner.$ref',
    says: 'refers to "#/$defs/ownr", which the provider "p" does not have. Did you mean "owner"? Expected one of owner, page, paging, search',
  },
  {
    what: 'a name of every object',
    parameters: { owner: { $ref: '#/$defs/constructor' } },
    path: 'parameters.owner.$ref',
    says: 'which the provider "p" does not have',
  },
  {
    what: 'a map that nobody shares',
    parameters: { $ref: '#/$defs/pagin', q: { type: 'string' } },
    path: 'parameters.$ref',
    says: 'Did you mean "paging"',
  },
  {
    what: 'a name that nobody shares, in depth',
    parameters: { a: { type: 'array', items: { type: 'object', properties: { b: { $ref: '#/$defs/own' } } } } },
    path: 'parameters.a.items.properties.b.$ref',
    says: 'Did you mean "owner"?',
  },
  {
    what: 'a place that is no name',
    parameters: { owner: { $ref: '#/definitions/owner' } },
    path: 'parameters.owner.$ref',
    says: 'expected "#/$defs/name", with a name that the provider has under "$defs", received string "#/definitions/owner"',
  },
  {
    what: 'a place inside an entry',
    parameters: { owner: { $ref: '#/$defs/paging/after' } },
    path: 'parameters.owner.$ref',
    says: 'expected "#/$defs/name"',
  },
  {
    what: 'a reference that is no text',
    parameters: { owner: { $ref: 1 } },
    path: 'parameters.owner.$ref',
    says: 'expected string, received number 1',
  },
  {
    what: 'a provider that shares nothing',
    parameters: { owner: { $ref: '#/$defs/owner' } },
    shared: {},
    path: 'parameters.owner.$ref',
    says: 'Expected one of (it has no "$defs")',
  },
  {
    what: 'a map in the place of a parameter',
    parameters: { owner: { $ref: '#/$defs/paging' } },
    path: 'parameters.owner.$ref',
    says: 'refers to "#/$defs/paging" of the provider "p", which is no parameter: page: is not known here',
  },
  {
    what: 'a parameter in the place of the map',
    parameters: { $ref: '#/$defs/owner' },
    path: 'parameters.$ref',
    says: 'which is no map of parameters: type: expected object, received string "string"',
  },
  {
    what: 'a schema that parameters cannot express',
    parameters: { id: { $ref: '#/$defs/id' } },
    shared: { id: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
    path: 'parameters.id.$ref',
    says: 'which is no parameter: oneOf: is not known here',
  },
  {
    what: 'a mistyped key of what is shared',
    parameters: { id: { $ref: '#/$defs/id' } },
    shared: { id: { type: 'string', requierd: true } },
    path: 'parameters.id.$ref',
    says: 'requierd: is not known here. Did you mean "required"?',
  },
  {
    what: 'an entry that refers to a map of parameters that is not there',
    parameters: { id: { type: 'string' }, $ref: '#/$defs/search' },
    shared: { search: { $ref: '#/$defs/paging', q: { type: 'string', required: true } } },
    path: '$defs.search.$ref',
    says: 'expected a reference to a place in this schema',
  },
  {
    what: 'an entry that refers to itself',
    parameters: { nodes: { $ref: '#/$defs/tree' } },
    shared: { tree },
    path: 'parameters.nodes.$ref',
    says: 'refers to "#/$defs/tree" in a circle: tree → tree (in the provider "p")',
  },
  {
    what: 'entries that refer to each other',
    parameters: { a: { type: 'object', properties: { b: { $ref: '#/$defs/a' } } } },
    shared: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c', minimum: 1 }, c: { $ref: '#/$defs/a' } },
    path: 'parameters.a.properties.b.$ref',
    says: 'in a circle: a → b → c → a',
  },
  {
    what: 'maps that refer to each other',
    parameters: { $ref: '#/$defs/a' },
    shared: { a: { $ref: '#/$defs/b', x: {} }, b: { $ref: '#/$defs/a', y: {} } },
    path: 'parameters.$ref',
    says: 'in a circle: a → b → a',
  },
  {
    what: 'entries that multiply',
    parameters: { all: { $ref: '#/$defs/l0' } },
    shared: { ...doubled, l12: { type: 'string' } },
    path: 'parameters.all.$ref',
    says: 'leads to more than 1000 references',
  },
];

describe('a tool with a reference among its parameters', () => {
  for (const { what, parameters, shared, path, says } of refusals) {
    it(`is refused for ${what}`, async () => {
      const { registry } = await kernelOf(parameters, shared);
      const [problem] = registry.problems;
      expect(problem).to.include({ severity: 'error', code: 'TOOL_INVALID', path });
      expect(problem?.message).to.include(says);
      expect([...registry.tools.keys()]).to.not.include('echo');
    });
  }

  it('is refused once for entries that multiply', async () => {
    const { registry } = await kernelOf({ all: { $ref: '#/$defs/l0' } }, { ...doubled, l12: { type: 'string' } });
    expect(registry.problems).to.have.length(1);
  });

  it('is refused without a provider, and told what it lacks', async () => {
    const { registry } = await testKernel({ tools: [echoTool({ parameters: { owner: { $ref: '#/$defs/owner' } } })] });
    expect(registry.problems.map(({ path, message }) => `${path}: ${message}`)).to.deep.equal([
      'parameters.owner.$ref: refers to "#/$defs/owner", but no provider file is known here. Expected the definition.yaml beside the tool, or one in a folder above, with "provider" and "$defs"',
    ]);
  });
});

describe('the authentication of a provider', () => {
  const authentication = { type: 'bearer', provider: 'p', required_scopes: ['read'] };
  const cases = [
    { what: 'is that of a tool that says nothing', own: undefined, gives: authentication },
    {
      what: 'stands back behind the scopes of a tool',
      own: { required_scopes: ['write'] },
      gives: { ...authentication, required_scopes: ['write'] },
    },
    { what: 'stands back behind the type of a tool', own: { type: 'basic' }, gives: { ...authentication, type: 'basic' } },
    {
      what: 'stands back behind a tool that needs no scope',
      own: { required_scopes: [] },
      gives: { ...authentication, required_scopes: [] },
    },
  ];
  for (const { what, own, gives } of cases) {
    it(what, async () => {
      const tool = echoTool({ provider: 'p', ...(own === undefined ? {} : { authentication: own }) });
      const kernel = await testKernel({ providers: [{ provider: { name: 'p' }, authentication }], tools: [tool] });
      expect(kernel.registry.problems).to.deep.equal([]);
      expect(kernel.registry.get('echo').definition.authentication).to.deep.equal(gives);
    });
  }

  it('is not given to a tool of another provider', async () => {
    const kernel = await testKernel({ providers: [{ provider: { name: 'p' }, authentication }], tools: [echoTool()] });
    expect(kernel.registry.get('echo').definition).to.not.have.property('authentication');
  });

  it('is refused with a key that it does not know', async () => {
    const kernel = await testKernel({ providers: [{ provider: { name: 'p' }, authentication: { required_scope: [] } }] });
    expect(kernel.registry.problems[0]).to.include({ severity: 'error', path: 'authentication.required_scope' });
  });
});
