import { expect } from 'chai';
import { WorkBudget } from '../../../../plugins/openapi/operations/work-budget.ts';
import { readOne, readOne2, readPaths, readValue } from '../read-value.ts';

describe('readOperations', () => {
  it('reads facts of the document and its operations', async () => {
    const { document } = await readValue({
      openapi: '3.1.0',
      info: { title: ' Pets ', version: 2, description: 'About pets' },
      servers: [{ url: 'https://api.test' }],
      tags: [{ name: 'pets', description: 'All pets' }, { name: 'bare' }],
      paths: { '/a': { get: { operationId: ' a ', summary: 'S', description: 'D', tags: ['pets', 3, 'pets'], deprecated: true } } },
      webhooks: { hook: { post: {} } },
    });
    expect(document).to.deep.include({ dialect: '3.1', title: 'Pets', version: '2', description: 'About pets', skipped: [], notes: [] });
    expect([...document.tags]).to.deep.equal([['pets', 'All pets']]);
    expect(document.operations).to.have.length(1);
    expect(document.operations[0]).to.deep.include({
      method: 'get',
      path: '/a',
      operationId: 'a',
      summary: 'S',
      description: 'D',
      tags: ['pets'],
      isDeprecated: true,
    });
  });

  const dialects: Record<string, [document: object, dialect: string]> = {
    '2.0': [{ swagger: '2.0' }, '2.0'],
    '3.0': [{ openapi: '3.0.4' }, '3.0'],
    'a number': [{ openapi: 3 }, '3.0'],
    '3.1': [{ openapi: '3.1.1' }, '3.1'],
    'a later version': [{ openapi: '3.2.0' }, '3.1'],
  };
  for (const [name, [document, dialect]] of Object.entries(dialects)) {
    it(`knows the dialect of ${name}`, async () => {
      expect((await readValue({ ...document, paths: {} })).document.dialect).to.equal(dialect);
    });
  }

  it('keeps operations with the same operationId', async () => {
    const { operations } = await readPaths({ '/a': { get: { operationId: 'x' } }, '/b': { get: { operationId: 'x' } } });
    expect(operations.map(({ operationId }) => operationId)).to.deep.equal(['x', 'x']);
  });

  const left: Record<string, [paths: object, expected: string]> = {
    'a broken reference to a parameter': [
      { '/a': { get: { parameters: [{ $ref: '#/gone' }] } } },
      'get /a broken reference: /paths/~1a/get/parameters/0: "#/gone" leads to nothing: there is no "gone" in the document',
    ],
    'a broken reference to a body': [
      { '/a': { post: { requestBody: { $ref: 'other.json' } } } },
      'post /a broken reference: /paths/~1a/post/requestBody: "other.json" cannot be read: there is no such file',
    ],
    'a reference of a body to itself': [
      { '/a': { post: { requestBody: { $ref: '#/paths/~1a/post/requestBody' } } } },
      'post /a broken reference: /paths/~1a/post/requestBody: "#/paths/~1a/post/requestBody" is a cycle of references that leads to no value',
    ],
    'a broken reference to a path': [
      { '/a': { $ref: '#/gone' } },
      '* /a broken reference: /paths/~1a: "#/gone" leads to nothing: there is no "gone" in the document',
    ],
    TRACE: [{ '/a': { trace: {} } }, 'trace /a TRACE: /paths/~1a/trace: TRACE requests are not sent'],
    'an operation that is no object': [{ '/a': { get: 'x' } }, 'get /a invalid: /paths/~1a/get: expected an object with the operation'],
    'a path that is no object': [{ '/a': [] }, '* /a invalid: /paths/~1a: expected an object with operations'],
    'a URL in place of a path': [
      { 'https://x.test/a': { get: {} } },
      '* /https://x.test/a invalid: /paths/https:~1~1x.test~1a: expected a path, received a URL',
    ],
    'a path of megabytes': [{ [`/${'a'.repeat(5000)}`]: { get: {} } }, 'at most 4096 characters, received 5001'],
  };
  for (const [name, [paths, expected]] of Object.entries(left)) {
    it(`leaves out ${name}, and reads the rest`, async () => {
      const { operations, skipped } = await readPaths({ ...paths, '/b': { get: {} } });
      expect(operations.map(({ path }) => path)).to.deep.equal(['/b']);
      expect(skipped.map(({ method, path, reason, detail }) => `${method} ${path} ${reason}: ${detail}`).join()).to.contain(expected);
    });
  }

  it('follows the reference of a path, whose own operations come first', async () => {
    const shared = { parameters: [{ name: 'p', in: 'query' }], get: { operationId: 'shared' }, put: { operationId: 'shared' } };
    const { operations } = await readPaths(
      { '/a': { $ref: '#/components/pathItems/Shared', get: { operationId: 'own' } } },
      { components: { pathItems: { Shared: shared } } },
    );
    expect(operations.map(({ method, operationId, parameters }) => [method, operationId, parameters.length])).to.deep.equal([
      ['get', 'own', 1],
      ['put', 'shared', 1],
    ]);
  });

  it('says each fault once, with the first operations that have it', async () => {
    const { notes } = await readPaths(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`/${name}/{id}`, { get: {} }])));
    expect(notes).to.deep.equal([
      'GET /a/{id}, GET /b/{id} and 2 more: the path has {id}, which no parameter declares: added as required text',
    ]);
  });

  for (const paths of [undefined, null, [], 'x']) {
    it(`reads a document whose paths are ${JSON.stringify(paths)}`, async () => {
      const { document } = await readValue({ openapi: '3.0.0', paths });
      expect(document.operations).to.deep.equal([]);
      expect(document.notes).to.deep.equal(['the document has no "paths": it has no operations']);
    });
  }

  for (const paths of [{}, { '/a': {} }, { 'x-own': 1 }]) {
    it(`says that a document with the paths ${JSON.stringify(paths)} has no operations`, async () => {
      const { document } = await readValue({ openapi: '3.0.0', paths });
      expect(document.notes).to.deep.equal(['the document has no operations: its "paths" have no methods']);
    });
  }

  it('reads a document of nonsense without an error', async () => {
    for (const nonsense of [null, 1, 'x', [], {}, [null], { a: null }]) {
      const operation = Object.fromEntries(
        ['parameters', 'requestBody', 'responses', 'security', 'servers', 'tags', 'summary', 'operationId', 'deprecated', 'consumes'].map(
          (name) => [name, nonsense],
        ),
      );
      const root = Object.fromEntries(
        ['info', 'tags', 'servers', 'components', 'security', 'securityDefinitions', 'host', 'schemes'].map((name) => [name, nonsense]),
      );
      for (const version of [{ openapi: '3.1.0' }, { swagger: '2.0' }]) {
        const { document } = await readValue({
          ...root,
          ...version,
          paths: { '/a': { post: operation, parameters: nonsense, servers: nonsense } },
        });
        expect(document.operations).to.have.length(1);
      }
    }
  });

  it('stops when references make too many parts of few', () => {
    const budget = new WorkBudget();
    budget.spend(4_000_000);
    expect(() => budget.spend(4_000_000)).to.throw(/more than 5000000 parts/);
  });
});

describe('the servers of an operation', () => {
  it('are its own, else those of its path, else those of the document', async () => {
    const server = (name: string) => ({ servers: [{ url: `https://${name}.test` }] });
    const { operations } = await readPaths(
      { '/a': { ...server('path'), get: server('own'), put: {} }, '/b': { get: { servers: [] } } },
      server('root'),
    );
    expect(operations.map(({ servers }) => servers.map(({ url }) => url).join())).to.deep.equal([
      'https://own.test',
      'https://path.test',
      'https://root.test',
    ]);
  });

  const urls: Record<string, [servers: readonly object[], location: string, expected: readonly string[]]> = {
    'relative ones of a document from a URL': [
      [{ url: '/v1' }, { url: 'v2' }, { url: './v3' }],
      'https://x.test/a/openapi.json',
      ['https://x.test/v1', 'https://x.test/a/v2', 'https://x.test/a/v3'],
    ],
    'the root of a document from a URL that names none': [[], 'https://x.test/a/openapi.json', ['https://x.test']],
    'none of a local document with relative ones': [[{ url: '/v1' }], '/api/openapi.json', []],
    'one whose scheme is a variable': [
      [{ url: '{scheme}://x.test', variables: { scheme: { default: 'https' } } }],
      '/api/openapi.json',
      ['{scheme}://x.test'],
    ],
    'one without scheme': [[{ url: '//x.test/v1' }, { url: 'y.test/v1' }], '/api/openapi.json', ['https://x.test/v1', 'https://y.test/v1']],
    'no web sockets': [[{ url: 'wss://x.test' }, { url: 'https://x.test' }], '/api/openapi.json', ['https://x.test']],
    'TLS before none, for the same host': [
      [{ url: 'http://x.test' }, { url: 'http://y.test' }, { url: 'https://x.test' }],
      '/api/openapi.json',
      ['http://y.test', 'https://x.test', 'http://x.test'],
    ],
  };
  for (const [name, [servers, location, expected]] of Object.entries(urls)) {
    it(`are ${name}`, async () => {
      const { document } = await readValue({ openapi: '3.0.0', servers, paths: { '/a': { get: {} } } }, { location });
      expect(document.operations[0]?.servers.map(({ url }) => url)).to.deep.equal(expected);
    });
  }

  it('of an operation are relative to the server of a local document', async () => {
    const own = (url: string) => ({ get: { servers: [{ url }] } });
    const { operations } = await readPaths(
      { '/a': own('/upload'), '/b': own('wss://x.test') },
      { servers: [{ url: 'https://x.test/v1' }] },
    );
    expect(operations.map(({ servers }) => servers.map(({ url }) => url))).to.deep.equal([
      ['https://x.test/upload'],
      ['https://x.test/v1'],
    ]);
  });

  it('have their variables, also those that only the URL names', async () => {
    const { servers } = await readOne({
      servers: [{ url: 'https://{a}.test:{port}', variables: { port: { default: 8443, enum: [8443, '443'], description: 'P' } } }],
    });
    expect(servers).to.deep.equal([
      { url: 'https://{a}.test:{port}', variables: { a: {}, port: { default: '8443', enum: ['8443', '443'], description: 'P' } } },
    ]);
  });

  const parts: Record<string, [root: object, operation: object, expected: readonly string[]]> = {
    'host and base path': [{ host: 'x.test', basePath: '/v1/', schemes: ['https'] }, {}, ['https://x.test/v1']],
    'HTTPS without schemes': [{ host: 'x.test' }, {}, ['https://x.test']],
    'HTTPS before HTTP, and no web sockets': [
      { host: 'x.test', schemes: ['http', 'ws', 'https'] },
      {},
      ['https://x.test', 'http://x.test'],
    ],
    'the schemes of the operation': [{ host: 'x.test', schemes: ['https'] }, { schemes: ['http'] }, ['http://x.test']],
  };
  for (const [name, [root, operation, expected]] of Object.entries(parts)) {
    it(`of 2.0 are made of ${name}`, async () => {
      expect((await readOne2(operation, root)).servers.map(({ url }) => url)).to.deep.equal(expected);
    });
  }

  it('of 2.0 without a host are none, with a note that has the base path', async () => {
    const { document } = await readValue({ swagger: '2.0', basePath: '/v1', paths: { '/a': { get: {} } } });
    expect(document.operations[0]?.servers).to.deep.equal([]);
    expect(document.notes).to.deep.equal(['the document names no host, only the path "/v1": set "server" to the whole URL, with it']);
  });
});
