import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { failure } from './failure.ts';
import { desk, pets, request } from './stand-in.ts';

/** The requests of the collection that has everything, in the order in which the runner ran them. */
const everyRequest = [
  ...['json', 'text', 'xml', 'form', 'multipart', 'sparql', 'file', 'graphql'].map((name) => `bodies/${name}.bru`),
  ...['get', 'post', 'put', 'delete', 'patch', 'head', 'options'].map((name) => `verbs/${name}.bru`),
  ...['basic', 'bearer', 'apikey', 'digest', 'ntlm', 'wsse', 'awsv4', 'oauth2', 'inherit'].map((name) => `auth/${name}.bru`),
  'drafts/later.bru',
  'größer & später/alles auf einmal.bru',
  'größer & später/nur Kommentare.bru',
  'first.bru',
];

describe('apiclient_get_collection_info', () => {
  it('tells every block of the format, in the order of a run, and names the file that is broken', async () => {
    const { call, root, starts } = await desk({ collections: ['every block'] });
    const { success, collection, errors } = await call('get_collection_info', { collection_path: 'every block' });
    expect(success).to.equal(true);
    expect(collection).to.include({ name: 'Every block', path: path.join(root, 'every block'), format: 'bru' });
    expect(collection.requests.map(({ file }) => file)).to.deep.equal(everyRequest);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('broken.bru: cannot be read: Line 9');
    expect(await starts()).to.deep.equal([]);
  });

  it('tells of a request its name, method, address, tags and whether it tests something', async () => {
    const { call } = await desk({ collections: ['every block'] });
    const { collection } = await call('get_collection_info', { collection_path: 'every block' });
    const found = (file: string) => collection.requests.find((one) => one.file.endsWith(file));
    expect(found('alles auf einmal.bru')).to.deep.equal({
      name: 'Alles, was größer ist: 日本',
      method: 'POST',
      url: '{{base}}/pets/:id/Öl?verbose=true&q=a%20b',
      tags: ['smoke', 'fast'],
      has_tests: true,
      file: 'größer & später/alles auf einmal.bru',
    });
    expect(found('nur Kommentare.bru')).to.deep.include({ tags: ['smoke'], has_tests: false });
    expect(found('graphql.bru')).to.deep.include({ name: 'graphql body', method: 'POST', tags: [], has_tests: false });
    expect(found('options.bru')).to.deep.include({ method: 'OPTIONS', tags: ['verbs', 'options'] });
  });

  const filters = [
    { filter: 'GRAPHQL', files: ['graphql.bru'] },
    { filter: 'options', files: ['options.bru'] },
    { filter: '/pets/:id/öl', files: ['alles auf einmal.bru'] },
    { filter: 'fast', files: ['alles auf einmal.bru'] },
    { filter: 'no such request', files: [] },
  ];
  for (const { filter, files } of filters)
    it(`lists the requests with ${filter} alone, and how many there are`, async () => {
      const { call } = await desk({ collections: ['every block'] });
      const { collection } = await call('get_collection_info', { collection_path: 'every block', filter });
      expect(collection.requests.map(({ file }) => path.basename(file))).to.deep.equal(files);
      expect(collection).to.have.property('total_requests', everyRequest.length);
      expect(collection.environments).to.have.length(2);
    });

  it('shows no secret of an environment or of the collection', async () => {
    const { call } = await desk({ collections: ['every block'] });
    const answer = await call('get_collection_info', { collection_path: 'every block' });
    expect(answer.collection.environments).to.deep.equal([
      {
        name: 'Prüfstand 2',
        variables: [
          { name: 'base', value: 'http://127.0.0.1:2', enabled: true, secret: false },
          { name: 'greeting', value: 'Grüß Gott', enabled: true, secret: false },
        ],
      },
      {
        name: 'local',
        variables: [
          { name: 'base', value: 'http://127.0.0.1:1', enabled: true, secret: false },
          { name: 'region', value: 'eu', enabled: false, secret: false },
          { name: 'session_cookie', enabled: true, secret: true },
          { name: 'api_token', enabled: true, secret: true },
          { name: 'old_token', enabled: false, secret: true },
        ],
      },
    ]);
    expect(answer.collection.variables).to.deep.equal([
      { name: 'page_size', value: '20', enabled: true, secret: false },
      { name: 'draft', value: '1', enabled: false, secret: false },
      { name: 'api_token', enabled: true, secret: true },
    ]);
    expect(answer.collection.authentication).to.deep.equal({ mode: 'bearer', fields: ['token'] });
    expect(JSON.stringify(answer)).not.to.include('not-a-real');
  });

  it('tells variables with a type, as their file writes them', async () => {
    const typed =
      '  @number\n  limit: 20\n  @boolean\n  verbose: true\n  @object\n  filter: {"a": [1]}\n  @number\n  pin_token: 1234\n  ~plain: 7\n';
    const { call } = await desk({
      files: pets({ 'collection.bru': `vars:pre-request {\n${typed}}\n`, 'environments/typed.bru': `vars {\n${typed}}\n` }),
    });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    const told = [
      { name: 'limit', value: '20', enabled: true, secret: false },
      { name: 'verbose', value: 'true', enabled: true, secret: false },
      { name: 'filter', value: '{"a":[1]}', enabled: true, secret: false },
      { name: 'pin_token', enabled: true, secret: true },
      { name: 'plain', value: '7', enabled: false, secret: false },
    ];
    expect(errors).to.deep.equal([]);
    expect(collection.variables).to.deep.equal(told);
    expect(collection.environments.find(({ name }) => name === 'typed')?.variables).to.deep.equal(told);
  });

  // As version 4.1 of the runner ran them.
  const orders: readonly { title: string; places: Readonly<Record<string, string>>; order: readonly string[] }[] = [
    { title: 'a place among the others', places: { a: '', b: '', c: '', z: '2' }, order: ['a', 'z', 'b', 'c'] },
    { title: 'the last places, beyond the end too', places: { a: '9', b: '3', c: '' }, order: ['c', 'b', 'a'] },
    { title: 'places one after the other', places: { a: '2', b: '1', c: '', d: '' }, order: ['b', 'a', 'c', 'd'] },
    { title: 'the same place', places: { a: '', b: '', y: '1', z: '1', x: '2' }, order: ['y', 'z', 'x', 'a', 'b'] },
    { title: 'a place that is none', places: { a: '', b: '0', c: '-1', d: '1.5', e: '1' }, order: ['e', 'a', 'b', 'c', 'd'] },
  ];
  for (const { title, places, order } of orders) {
    it(`lists folders in the order of a run when they say ${title}`, async () => {
      const files = Object.entries(places).map(([folder, seq]) => [
        [`c/${folder}/one.bru`, request(folder)],
        ...(seq === '' ? [] : [[`c/${folder}/folder.bru`, `meta {\n  name: ${folder}\n  seq: ${seq}\n}\n`]]),
      ]);
      const { call } = await desk({ files: { 'c/bruno.json': '{}', ...Object.fromEntries(files.flat()) } });
      const { collection } = await call('get_collection_info', { collection_path: 'c' });
      expect(collection.requests.map(({ name }) => name)).to.deep.equal(order);
    });
  }

  for (const { size, more } of [
    { size: 'short', more: '' },
    { size: 'long', more: `# ${'x'.repeat(17 * 1024)}\n` },
  ])
    it(`gives integers beyond 2^53 in a ${size} YAML file with all their digits`, async () => {
      const text = `${more}variables: [{name: id, value: 7960607143101464577}, {name: ids, value: {a: [-9007199254740993, 1]}}]\n`;
      const { call } = await desk({ files: { 'c/opencollection.yml': 'info: {name: Y}\n', 'c/environments/local.yml': text } });
      const { collection } = await call('get_collection_info', { collection_path: 'c' });
      const values = collection.environments.flatMap(({ variables }) => variables.map(({ value }) => value));
      expect(values).to.deep.equal(['7960607143101464577', '{"a":["-9007199254740993",1]}']);
    });

  it('reads a collection of YAML files alike', async () => {
    const { call, root } = await desk({ collections: ['open'] });
    const answer = await call('get_collection_info', { collection_path: 'open' });
    expect(answer.collection).to.deep.equal({
      name: 'Pets as YAML',
      path: path.join(root, 'open'),
      format: 'opencollection',
      requests: [
        { name: 'Add a pet', method: 'POST', url: '{{base}}/pets', tags: ['smoke'], has_tests: false, file: 'pets/add.yml' },
        {
          name: 'Get a pet – 日本',
          method: 'GET',
          url: '{{base}}/pets/:petId',
          tags: ['smoke', 'fast'],
          has_tests: true,
          file: 'pets/get.yml',
        },
        { name: 'Ask', method: 'POST', url: '{{base}}/graphql', tags: [], has_tests: false, file: 'query.yml' },
      ],
      environments: [
        {
          name: 'local',
          variables: [
            { name: 'base', value: 'http://127.0.0.1:1', enabled: true, secret: false },
            { name: 'api_token', enabled: true, secret: true },
            { name: 'region', value: 'eu', enabled: false, secret: false },
          ],
        },
      ],
      variables: [
        { name: 'page_size', value: '20', enabled: true, secret: false },
        { name: 'api_token', enabled: true, secret: true },
      ],
      authentication: { mode: 'bearer', fields: ['token'] },
    });
    expect(answer.errors).to.have.length(1);
    expect(answer.errors[0]).to.include('broken.yml: cannot be read');
    expect(JSON.stringify(answer)).not.to.include('not-a-real');
  });

  const paths = ['pets', 'pets/', 'pets/bruno.json', 'pets/get-pet.bru'];
  for (const collectionPath of paths) {
    it(`finds a collection by "${collectionPath}"`, async () => {
      const { call, root } = await desk({ files: pets() });
      const { collection } = await call('get_collection_info', { collection_path: collectionPath });
      expect(collection).to.include({ name: 'Pets', path: path.join(root, 'pets') });
      expect(collection.requests.map(({ name }) => name)).to.deep.equal(['Slow', 'Get pet', 'List pets']);
    });
  }

  const descriptors: { title: string; files: Record<string, string>; name: string }[] = [
    {
      title: 'of the descriptor that the specification names',
      files: { 'c/apiclient.json': '{"name":"A"}', 'c/bruno.json': '{"name":"B"}' },
      name: 'A',
    },
    {
      title: 'of a YAML one, which the runner prefers',
      files: { 'c/bruno.json': '{"name":"B"}', 'c/opencollection.yml': 'info: {name: Y}' },
      name: 'Y',
    },
    { title: 'of its folder when the descriptor has none', files: { 'c/bruno.json': '{}' }, name: 'c' },
    { title: 'of its folder when the name is no text', files: { 'c/bruno.json': '{"name":7}' }, name: 'c' },
  ];
  for (const { title, files, name } of descriptors) {
    it(`takes the name ${title}`, async () => {
      const { call } = await desk({ files });
      expect((await call('get_collection_info', { collection_path: 'c' })).collection.name).to.equal(name);
    });
  }

  const failures: { title: string; place: string; words: readonly string[] }[] = [
    { title: 'a path that is missing', place: 'gone', words: ['/gone" cannot be opened (ENOENT)', 'expected the folder of a collection'] },
    {
      title: 'a folder that is no collection',
      place: '.',
      words: ['is not a collection', '"apiclient.json"', 'apiclient_list_collections'],
    },
    { title: 'a file of no collection', place: 'note.txt', words: ['note.txt" is not a collection'] },
    { title: 'a path outside of the roots', place: '../..', words: ['"collection_path"', 'expected a path inside'] },
    { title: 'a link that leads out of the roots', place: 'out', words: ['"collection_path"', 'expected a path inside'] },
    { title: 'a descriptor that is no JSON', place: 'bad', words: ['/bad/bruno.json cannot be read', 'JSON', 'Correct it'] },
    {
      title: 'a descriptor that is a list',
      place: 'list',
      words: ['/list/bruno.json cannot be read: expected an object, received a list'],
    },
    { title: 'a descriptor that is a link', place: 'linked', words: ['/linked/bruno.json cannot be read: it is a link'] },
  ];
  for (const { title, place, words } of failures) {
    it(`refuses ${title}`, async () => {
      const { call, root } = await desk({
        files: { 'note.txt': '', 'bad/bruno.json': '{"name":', 'list/bruno.json': '[]', 'linked/x': '' },
      });
      await symlink('/', path.join(root, 'out'));
      await symlink(path.join(root, 'bad/bruno.json'), path.join(root, 'linked/bruno.json'));
      failure(await call('get_collection_info', { collection_path: place }), ...words);
    });
  }

  it('follows no link in a collection: not to requests, folders, environments or settings', async () => {
    const { call, root } = await desk({
      files: {
        ...pets(),
        'other/x.bru': request('Hidden'),
        'other/environments/e.bru': 'vars {\n  hidden: 1\n}\n',
        'other/c.bru': 'vars:pre-request {\n  hidden: 1\n}\n',
      },
    });
    await rm(path.join(root, 'pets/environments'), { recursive: true });
    for (const [from, to] of [
      ['x.bru', 'x.bru'],
      ['', 'inner'],
      ['environments', 'environments'],
      ['c.bru', 'collection.bru'],
    ])
      await symlink(path.join(root, 'other', from ?? ''), path.join(root, 'pets', to ?? ''));
    const answer = await call('get_collection_info', { collection_path: 'pets' });
    expect(JSON.stringify(answer)).not.to.match(/hidden/i);
    expect(answer.collection.requests).to.have.length(3);
    expect(answer.errors.join('\n')).to.include('environments: is a link').and.to.include('collection.bru: cannot be read: it is a link');
  });

  it('names a file over the limit, and reads the rest', async () => {
    const { call } = await desk({
      files: pets({ 'large.bru': request('Large', { more: `\ndocs {\n  ${'x'.repeat(500)}\n}\n` }) }),
      options: { limits: { maxFileBytes: 400 } },
    });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests).to.have.length(3);
    expect(errors).to.deep.equal(['large.bru: cannot be read: it has 579 bytes; at most 400 are read']);
  });

  it('reads as many requests as the limit says, and tells where it stopped', async () => {
    const { call } = await desk({ files: pets(), options: { limits: { maxFiles: 2 } } });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests).to.have.length(2);
    expect(errors).to.deep.equal(['sub: the first 2 requests were read, and no more.']);
  });

  it('does not descend without end', async () => {
    const { call, root } = await desk({ files: pets() });
    const deep = path.join(root, 'pets', ...Array.from({ length: 60 }, () => 'd'));
    await mkdir(deep, { recursive: true });
    await writeFile(path.join(deep, 'deep.bru'), request('Deep'));
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests).to.have.length(3);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('lies more than 50 folders deep');
  });

  it('leaves out what is in node_modules and .git, and the settings of folders', async () => {
    const more = Object.fromEntries(
      ['node_modules/a/x.bru', '.git/x.bru', 'sub/node_modules/x.bru', 'sub/folder.bru', 'sub/collection.bru'].map((name) => [
        name,
        request('Other'),
      ]),
    );
    const { call } = await desk({ files: pets(more) });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.requests.map(({ name }) => name)).to.deep.equal(['Slow', 'Get pet', 'List pets']);
    expect(errors).to.deep.equal([]);
  });

  it('names an environment that is broken, and tells that it is there', async () => {
    const { call } = await desk({ files: pets({ 'environments/bad.bru': 'vars {\n' }) });
    const { collection, errors } = await call('get_collection_info', { collection_path: 'pets' });
    expect(collection.environments.map(({ name }) => name)).to.deep.equal(['bad', 'local']);
    expect(errors).to.have.length(1);
    expect(errors[0]).to.include('environments/bad.bru: cannot be read: Line');
  });
});
