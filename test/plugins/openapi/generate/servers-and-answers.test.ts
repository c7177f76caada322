import { expect } from 'chai';
import { generatedFrom, toolOf } from './generated-from.ts';

const paths = { '/things': { get: { operationId: 'list', responses: {} } } };

describe('the server of generated tools', () => {
  const cases = [
    { servers: [{ url: 'https://a.example/v1/' }], base: 'https://a.example/v1', hosts: ['https://a.example'] },
    { servers: [{ url: 'http://a.example' }, { url: 'https://b.example' }], base: 'https://b.example', hosts: ['https://b.example'] },
    {
      servers: [{ url: 'https://{region}.a.example', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
      base: 'https://{SHOP_REGION}.a.example',
      hosts: ['https://eu.a.example'],
    },
    {
      servers: [{ url: 'https://{host}/{base}', variables: { host: { default: 'a.example' }, base: { default: 'v1/api' } } }],
      base: 'https://{SHOP_HOST}/v1/api',
      hosts: ['https://a.example'],
    },
    {
      servers: [{ url: 'https://{tenant}.a.example' }],
      base: 'https://{SHOP_TENANT}.a.example',
      hosts: ['https://unset.invalid.a.example'],
    },
  ];
  for (const { servers, base, hosts } of cases)
    it(`is ${base} for ${servers.map(({ url }) => url).join(' and ')}`, async () => {
      const generated = await generatedFrom({ servers, paths });
      expect(generated.provider['base_url']).to.equal(base);
      expect(generated.hosts).to.deep.equal(hosts);
      expect(generated.tools[0]?.definition['execution']).to.include({ url: '/things' });
    });

  it('is the one that the configuration names', async () => {
    const { provider, hosts } = await generatedFrom({ paths }, { source: { server: 'http://127.0.0.1:8080/api/' } });
    expect(provider['base_url']).to.equal('http://127.0.0.1:8080/api');
    expect(hosts).to.deep.equal(['http://127.0.0.1:8080']);
  });

  it('is needed: an operation without one is left out', async () => {
    const { tools, skipped } = await generatedFrom({ servers: [{ url: '/v1' }], paths });
    expect(tools).to.deep.equal([]);
    expect(skipped.map(({ reason, detail }) => `${reason}: ${detail}`)).to.deep.equal([
      'no server: no server has an absolute URL: set "server"',
    ]);
  });

  it('may be another one for an operation, whose URL is then whole', async () => {
    const { tools } = await generatedFrom({
      paths: { ...paths, '/a': { get: { responses: {} } }, '/up': { servers: [{ url: 'https://up.example' }], post: { responses: {} } } },
    });
    expect(tools.map(({ definition }) => (definition['execution'] as { url: string }).url)).to.deep.equal([
      '/things',
      '/a',
      'https://up.example/up',
    ]);
  });
});

describe('the answer of generated tools', () => {
  const thing = { type: 'object', properties: { id: { type: 'string' } } };
  const json = { description: 'OK', content: { 'application/json': { schema: thing } } };
  const png = { description: 'OK', content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } };
  const cases = [
    { what: 'has the schema of the document', responses: { 200: json }, keys: { output_schema: thing } },
    { what: 'has the schemas of several successes', responses: { 200: json, 201: { ...json } }, keys: {} },
    { what: 'can be saved where it is a file', responses: { 200: png }, keys: { save_to: { parameter: 'save_path' } } },
    {
      what: 'has its headers where it has no body',
      responses: { 201: { description: 'Created', headers: { Location: {}, 'Set-Cookie': {}, 'X-Auth-Token': {} } } },
      keys: { output_headers: ['Location'] },
    },
    { what: 'of an error has no schema', responses: { 404: json }, keys: {} },
  ];
  for (const { what, responses, keys } of cases)
    it(what, async () => {
      const { definition } = await toolOf({ responses }, { at: 'get /things' });
      for (const [key, value] of Object.entries(keys)) expect(definition[key]).to.deep.equal(value);
      for (const key of ['output_schema', 'save_to', 'output_headers'])
        if (!(key in keys) && key !== 'output_schema') expect(definition).to.not.have.property(key);
    });

  it('is asked for as JSON where there are several types', async () => {
    const { definition } = await toolOf(
      {
        responses: { 200: { description: 'OK', content: { 'text/csv': {}, 'application/json': { schema: thing } } } },
      },
      { at: 'get /things' },
    );
    expect((definition['execution'] as { headers: object }).headers).to.deep.equal({ Accept: 'application/json' });
  });

  it('of HEAD is its headers', async () => {
    const { definition } = await toolOf({ responses: { 200: { description: 'OK', headers: { 'X-Total': {} } } } }, { at: 'head /things' });
    expect(definition['output_headers']).to.deep.equal(['X-Total']);
  });
});

describe('proposals for a person', () => {
  const cases = [
    { method: 'post', operationId: 'searchThings', note: 'proposes risk low: a POST that by its name only reads' },
    { method: 'get', operationId: 'sendInvoice', note: 'proposes risk medium and an approval: a GET that by its name acts' },
    { method: 'post', operationId: 'createThing', note: undefined },
    { method: 'get', operationId: 'getThing', note: undefined },
  ];
  for (const { method, note, ...operation } of cases)
    it(`for ${method} ${operation.operationId}: ${note ?? 'none'}`, async () => {
      expect((await toolOf(operation, { at: `${method} /things` })).notes).to.deep.equal(note === undefined ? [] : [note]);
    });

  it('are a ready block for paging, where the answer has the items', async () => {
    const items = { type: 'object', properties: { things: { type: 'array', items: { type: 'object' } } } };
    const { notes, definition } = await toolOf(
      {
        parameters: ['page', 'per_page'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
        responses: { 200: { description: 'OK', content: { 'application/json': { schema: items } } } },
      },
      { at: 'get /things' },
    );
    expect(notes.join()).to.match(/^proposes paginate.*"page"/);
    expect(definition).to.not.have.property('paginate');
  });
});
