import { expect } from 'chai';
import { generatedFrom, linked, propertiesOf, toolOf } from './generated-from.ts';

const responses = { 204: { description: 'done' } };

async function namesOf(paths: object, options: Parameters<typeof generatedFrom>[1] = {}): Promise<readonly unknown[]> {
  return (await generatedFrom({ paths }, options)).tools.map(({ definition }) => definition['name']);
}

const operation = (operationId?: string): object => ({ responses, ...(operationId === undefined ? {} : { operationId }) });

describe('names of generated tools', () => {
  for (const [operationId, name] of [
    ['ShopFiles_getFile', 'shop_files_get_file'],
    ['files.files_get', 'shop_files_get'],
    ['getHTTPServer2', 'shop_get_http_server2'],
    ['größe/ändern', 'shop_gr_e_ndern'],
    ['shop', 'shop_shop'],
  ] as const)
    it(`make ${name} of ${operationId}`, async () => {
      expect(await namesOf({ '/items': { get: operation(operationId) } })).to.deep.equal([name]);
    });

  it('are method and path without an operationId', async () => {
    expect(await namesOf({ '/files/{file_id}/tasks/{id}': { get: operation() } })).to.deep.equal(['shop_get_files_tasks_by_id']);
  });

  it('have a hash where they would be too long or equal, whatever the order', async () => {
    const paths = { '/a': { get: operation('getItem') }, '/b': { get: operation('get_item') }, '/c': { get: operation('x'.repeat(90)) } };
    const names = await namesOf(paths);
    expect(new Set(names).size).to.equal(3);
    for (const name of names) expect(name).to.match(/^shop_[a-z0-9_]{1,48}_[0-9a-f]{6}$/);
    const reversed = await namesOf(Object.fromEntries(Object.entries(paths).reverse()));
    expect(reversed.toReversed()).to.deep.equal(names);
  });

  it('stay as they are known', async () => {
    const names = new Map([['get /b', 'shop_get_item']]);
    const found = await namesOf({ '/a': { get: operation('getItem') }, '/b': { get: operation('other') } }, { names });
    expect(found[1]).to.equal('shop_get_item');
    expect(found[0]).to.match(/^shop_get_item_[0-9a-f]{6}$/);
  });
});

describe('tools of a document', () => {
  const paths = {
    '/files/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { ...operation('getFile'), tags: ['Files'] },
      delete: { ...operation('deleteFile'), tags: ['Files'] },
    },
    '/users': { get: { ...operation('listUsers'), tags: ['Users'] }, post: { ...operation('addUser'), tags: ['Users'] } },
  };

  for (const [title, source, expected] of [
    ['a tag', { include: { tags: ['Files'] } }, ['shop_get_file', 'shop_delete_file']],
    ['a path', { include: { paths: ['/files/*'] } }, ['shop_get_file', 'shop_delete_file']],
    ['a method', { include: { methods: ['post' as const] } }, ['shop_add_user']],
    ['an operation that is excluded', { exclude: { operations: ['*User*'] } }, ['shop_get_file', 'shop_delete_file']],
  ] as const)
    it(`are chosen by ${title}`, async () => {
      expect(await namesOf(paths, { source: source as never })).to.deep.equal(expected);
    });

  it('note a value that chooses nothing', async () => {
    const { notes } = await generatedFrom({ paths }, { source: { include: { tags: ['File'] } } });
    expect(notes.join()).to.include('"include.tags" names "File", which matches nothing.').and.include('"Files"');
  });

  it('need approval to delete, and to write where the source says so', async () => {
    const gates = async (source: object): Promise<unknown> =>
      (await generatedFrom({ paths }, { source })).tools.map(({ definition }) => [definition['risk'], definition['requires_approval']]);
    const deleting = ['high', true];
    expect(await gates({})).to.deep.equal([['low', undefined], deleting, ['low', undefined], ['medium', undefined]]);
    expect(await gates({ gate: 'writes' })).to.deep.equal([['low', undefined], deleting, ['low', undefined], ['medium', true]]);
  });

  it('take more caution from the document, and less from an overlay alone', async () => {
    const loose = await toolOf({ responses, 'x-toolkit': { risk: 'low', requires_approval: false } }, { at: 'delete /items' });
    expect(loose.definition).to.include({ risk: 'high', requires_approval: true });
    expect(loose.notes.join()).to.include('asks for less caution');
    const tight = await toolOf({ responses, 'x-toolkit': { risk: 'high', requires_approval: true } }, { at: 'get /items' });
    expect(tight.definition).to.include({ risk: 'high', requires_approval: true });
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'O', version: '1' },
      actions: [{ target: "$.paths['/items'].delete", update: { 'x-toolkit': { requires_approval: false, colour: 'red' } } }],
    };
    const own = await toolOf({ responses }, { at: 'delete /items', overlay });
    expect(own.definition).to.include({ requires_approval: false });
    expect(own.notes.join()).to.include('unknown key "colour"');
  });

  it('are found by searching where there are many', async () => {
    const many = Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`/a${index}`, { get: operation(`get${index}`) }]));
    const { tools } = await generatedFrom({ paths: many });
    expect(tools.every(({ definition }) => definition['listed'] === 'search')).to.equal(true);
    const all = await generatedFrom({ paths: many }, { source: { expose: 'all' } });
    expect(all.tools.some(({ definition }) => 'listed' in definition)).to.equal(false);
  });

  it('have texts without control characters, cut', async () => {
    const { definition } = await toolOf({
      responses,
      summary: 'Lists\u001b[31m\u202eitems',
      description: `${'Word '.repeat(400)}`,
      deprecated: true,
    });
    expect(definition['description']).to.match(/^Deprecated\. Lists \[31m/);
    expect(String(definition['description']).length).to.be.below(850);
    expect(definition['description']).not.to.match(/\p{C}/u);
  });

  it('propose paging, which an overlay may set', async () => {
    const schema = { type: 'object', properties: { entries: { type: 'array', items: {} }, next_cursor: { type: 'string' } } };
    const get = {
      operationId: 'list',
      parameters: [
        { name: 'cursor', in: 'query', schema: { type: 'string' } },
        { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
      ],
      responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
    };
    const tool = await toolOf(get, { at: 'get /items' });
    const [note = ''] = tool.notes.filter((text) => text.startsWith('proposes paginate: '));
    // Own text: a note of a test.
    const paginate = JSON.parse(note.slice('proposes paginate: '.length)) as object;
    expect(paginate).to.deep.equal({
      items: 'entries',
      limit: 'max_items',
      size: { parameter: 'limit', maximum: 50 },
      next: { cursor: { path: 'next_cursor', parameter: 'cursor' } },
    });
    expect(tool.definition).not.to.have.property('paginate');
    const actions = [{ target: '$.paths.*.get', update: { 'x-toolkit': { paginate } } }];
    const overlay = { overlay: '1.0.0', info: { title: 'O', version: '1' }, actions };
    const { tools } = await linked(await generatedFrom({ paths: { '/items': { get } } }, { overlay }));
    expect(tools.map(({ name }) => name)).to.deep.equal(['shop_list']);
  });

  it('save a file, and show headers of an answer without a body', async () => {
    const file = { 200: { description: 'ok', content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } } };
    const saving = await toolOf({ responses: file }, { at: 'get /report' });
    expect(saving.definition['save_to']).to.deep.equal({ parameter: 'save_path' });
    expect(saving.definition).not.to.have.property('output_schema');
    expect(propertiesOf(saving)).to.have.property('save_path');
    const made = { 201: { description: 'made', headers: { Location: { schema: {} }, 'Set-Cookie': { schema: {} } } } };
    expect((await toolOf({ responses: made })).definition['output_headers']).to.deep.equal(['Location']);
    expect((await toolOf({ responses }, { at: 'head /items' })).definition['output_headers']).to.include('ETag');
  });

  it('link without problems, whatever their names are', async () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      '$filter',
      'a b',
      '{x}',
      '12',
      'ü',
      'x'.repeat(90),
      'token',
      '_toolkit_approved',
    ];
    const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'string' } }));
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    const post = { ...operation('add'), parameters, requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } } };
    const generated = await generatedFrom({ paths: { '/items': { post } } });
    const { kernel, tools } = await linked(generated);
    expect(kernel.registry.problems.filter(({ severity }) => severity === 'error')).to.deep.equal([]);
    expect(tools).to.have.length(1);
    for (const tool of generated.tools)
      for (const name of Object.keys(propertiesOf(tool))) expect(name).to.match(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/);
  });

  it('have a server whose variables the operator sets, never a caller', async () => {
    const servers = [
      { url: 'http://{region}.api.test' },
      {
        url: 'https://{region}.api.test/{tenant}/{version}',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { default: 'v2' } },
      },
    ];
    const { provider, needs, hosts, tools } = await generatedFrom({ servers, paths: { '/items': { get: operation() } } });
    expect(provider['base_url']).to.equal('https://{SHOP_REGION}.api.test/{SHOP_TENANT}/{SHOP_VERSION}');
    expect(needs.map(({ name, isRequired }) => [name, isRequired])).to.deep.equal([
      ['SHOP_REGION', false],
      ['SHOP_TENANT', true],
      ['SHOP_VERSION', false],
    ]);
    expect(hosts).to.deep.equal(['https://eu.api.test']);
    expect(tools.flatMap((tool) => Object.keys(propertiesOf(tool)))).to.deep.equal([]);
    const none = await generatedFrom({ servers: [{ url: '/v1' }], paths: { '/items': { get: operation() } } });
    expect(none.skipped.map(({ reason }) => reason)).to.deep.equal(['no server']);
  });

  it('refuse a server of the operator that is no base URL', async () => {
    const refusal = await generatedFrom({ paths }, { source: { server: 'api.test' } }).catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'CONFIG_INVALID');
  });
});
