import { expect } from 'chai';
import { readApiDocument } from '../../../plugins/openapi/read-api-document.ts';
import { readOne, readOne2, readPaths, readValue } from './read-value.ts';

const object = { type: 'object' };

describe('the body of an operation of 3.0', () => {
  it('has its media types without parameters, one of each, in order', async () => {
    const content = {
      'Application/JSON;odata=verbose': { schema: object, example: { a: 1 } },
      'application/json; charset=utf-8': {},
      '*/*': {},
      nonsense: {},
    };
    const { body } = await readOne({ requestBody: { description: 'D', required: true, content } }, '/items', 'post');
    expect(body).to.deep.include({ description: 'D', isRequired: true });
    expect(body?.contents.map(({ mediaType, examples }) => [mediaType, examples])).to.deep.equal([
      ['application/json', [{ a: 1 }]],
      ['*/*', []],
    ]);
  });

  it('is followed through a reference, with the encoding of its members', async () => {
    const encoding = { a: { contentType: 'image/png' }, b: { style: 'deepObject', explode: true }, __proto__: null, c: 'x' };
    const { body } = await readOne({ requestBody: { $ref: '#/components/requestBodies/B' } }, '/items', 'post', {
      components: { requestBodies: { B: { content: { 'multipart/form-data': { schema: object, encoding } } } } },
    });
    expect(body?.isRequired).to.equal(false);
    expect(body?.contents[0]?.encoding).to.deep.equal({ a: { contentType: 'image/png' }, b: { style: 'deepObject', explode: true } });
    expect(body?.contents[0]?.schema?.pointer).to.equal('/components/requestBodies/B/content/multipart~1form-data/schema');
  });

  for (const method of ['get', 'head']) {
    it(`of ${method} is dropped when it is optional`, async () => {
      const { body, notes } = await readOne({ requestBody: { content: { 'application/json': {} } } }, '/items', method);
      expect(body).to.equal(undefined);
      expect(notes?.[0]).to.match(/the optional body of a (GET|HEAD) request is dropped/);
    });

    it(`of ${method} leaves the operation out when it is required`, async () => {
      const { operations, skipped } = await readPaths({
        '/a': { [method]: { operationId: 'a', requestBody: { required: true, content: { 'application/json': {} } } } },
      });
      expect(operations).to.deep.equal([]);
      expect(skipped[0]).to.include({ method, path: '/a', operationId: 'a', reason: 'required body of GET' });
    });
  }

  it('stays with a DELETE', async () => {
    expect((await readOne({ requestBody: { content: { 'application/json': {} } } }, '/items', 'delete')).body?.contents).to.have.length(1);
  });

  it('without a valid media type is ignored with a note', async () => {
    const { body, notes } = await readOne({ requestBody: { content: {} } }, '/items', 'post');
    expect(body).to.equal(undefined);
    expect(notes).to.deep.equal(['the body has no valid media type: ignored']);
  });
});

describe('the body of an operation of 2.0', () => {
  it('is the schema of its body parameter, in each media type that it consumes', async () => {
    const { body } = await readOne2(
      {
        consumes: ['application/json', 'Application/XML; charset=utf-8'],
        parameters: [{ name: 'b', in: 'body', required: true, schema: object }],
      },
      { consumes: ['text/plain'] },
    );
    expect(body).to.deep.include({ isRequired: true });
    expect(body?.contents.map(({ mediaType, schema }) => [mediaType, schema?.pointer])).to.deep.equal([
      ['application/json', '/paths/~1items/post/parameters/0/schema'],
      ['application/xml', '/paths/~1items/post/parameters/0/schema'],
    ]);
  });

  const types: Record<string, [own: object, root: object, expected: string]> = {
    'that of the document': [{}, { consumes: ['text/plain'] }, 'text/plain'],
    'JSON without any': [{}, {}, 'application/json'],
  };
  for (const [name, [own, root, expected]] of Object.entries(types)) {
    it(`has a media type: ${name}`, async () => {
      const { body } = await readOne2({ ...own, parameters: [{ name: 'b', in: 'body', schema: object }] }, root);
      expect(body?.contents.map(({ mediaType }) => mediaType)).to.deep.equal([expected]);
    });
  }

  it('is a form of its form parameters', async () => {
    const { body } = await readOne2({
      parameters: [
        { name: 'a', in: 'formData', type: 'string', required: true, description: 'A' },
        { name: 'b', in: 'formData', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
        { name: '__proto__', in: 'formData', type: 'array', items: { type: 'string' } },
      ],
    });
    const [content] = body?.contents ?? [];
    expect(body?.isRequired).to.equal(true);
    expect(content?.mediaType).to.equal('application/x-www-form-urlencoded');
    expect(content?.schema?.pointer).to.equal('/paths/~1items/post/requestBody/schema');
    expect(JSON.stringify(content?.schema?.value)).to.equal(
      JSON.stringify({
        type: 'object',
        properties: {
          a: { type: 'string', description: 'A' },
          b: { type: 'array', items: { type: 'string' } },
          ['__proto__']: { type: 'array', items: { type: 'string' } },
        },
        required: ['a'],
      }),
    );
    expect(Object.entries(content?.encoding ?? {})).to.deep.equal([
      ['b', { style: 'form', explode: true }],
      ['__proto__', { style: 'form', explode: false }],
    ]);
  });

  it('with a file is multipart, whatever it consumes', async () => {
    const { body } = await readOne2({
      consumes: ['application/x-www-form-urlencoded'],
      parameters: [{ name: 'f', in: 'formData', type: 'file' }],
    });
    expect(body?.contents.map(({ mediaType }) => mediaType)).to.deep.equal(['multipart/form-data']);
    expect(body?.contents[0]?.schema?.value).to.deep.equal({ type: 'object', properties: { f: { type: 'string', format: 'binary' } } });
  });
});

describe('the responses of an operation', () => {
  it('have status, contents and headers; a broken one is ignored with a note', async () => {
    const { responses, notes } = await readOne(
      {
        responses: {
          '200': {
            description: 'ok',
            content: { 'application/json;v=1': { schema: object }, 'text/csv': {} },
            headers: { 'X-Count': { schema: { type: 'integer' } }, Bad: { $ref: '#/gone' } },
          },
          '4xx': { description: 'no' },
          default: { $ref: '#/components/responses/Error' },
          '500': { $ref: '#/gone' },
          'x-other': {},
        },
      },
      '/items',
      'get',
      { components: { responses: { Error: { description: 'error' } } } },
    );
    expect(
      responses.map(({ status, description, contents }) => [status, description, ...contents.map(({ mediaType }) => mediaType)]),
    ).to.deep.equal([
      ['200', 'ok', 'application/json', 'text/csv'],
      ['4XX', 'no'],
      ['default', 'error'],
    ]);
    expect(responses[0]?.headers.map(({ name, schema }) => [name, schema?.value])).to.deep.equal([['X-Count', { type: 'integer' }]]);
    expect(notes?.[0]).to.match(/^response 500 is ignored: "#\/gone" leads to nothing/);
  });

  it('of 2.0 have their schema in each media type that is produced', async () => {
    const { responses } = await readOne2(
      {
        responses: {
          200: {
            description: 'ok',
            schema: object,
            examples: { 'application/json': { a: 1 } },
            headers: { 'X-Count': { type: 'integer' } },
          },
          204: { description: 'none' },
        },
      },
      { produces: ['application/json', 'text/csv'] },
    );
    expect(
      responses.map(({ status, contents }) => [status, contents.map(({ mediaType, examples }) => [mediaType, examples])]),
    ).to.deep.equal([
      [
        '200',
        [
          ['application/json', [{ a: 1 }]],
          ['text/csv', []],
        ],
      ],
      ['204', []],
    ]);
    expect(responses[0]?.headers[0]?.schema?.pointer).to.equal('/paths/~1items/post/responses/200/headers/X-Count');
  });
});

describe('a response of 2.0 without a schema', () => {
  const cases: Record<string, [operation: object, expected: readonly string[]]> = {
    'has no content': [{ produces: ['application/json'] }, []],
    'has no content, whatever the document produces': [{}, []],
    'is a file where the operation produces only files': [{ produces: ['application/x-tar'] }, ['application/x-tar']],
  };
  for (const [name, [operation, expected]] of Object.entries(cases)) {
    it(name, async () => {
      const { responses } = await readOne2({ ...operation, responses: { 200: {}, 400: {} } }, { produces: ['image/png'] });
      expect(responses.map(({ contents }) => contents.map(({ mediaType }) => mediaType))).to.deep.equal([expected, []]);
    });
  }
});

describe('a large YAML document', () => {
  it('gives the same operations as its JSON', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [
        `/items/${at}/{id}`,
        { get: { operationId: `op${at}`, responses: { 200: { description: 'ok' } } } },
      ]),
    );
    const value = { openapi: '3.0.0', info: { title: 'T', version: '1' }, paths };
    const yaml = Object.keys(paths)
      .map((path, at) => `  ${path}:\n    get:\n      operationId: op${at}\n      responses:\n        200:\n          description: ok\n`)
      .join('');
    const fromYaml = await readApiDocument({
      location: '/api/openapi.json',
      read: async () => `openapi: 3.0.0\ninfo: {title: T, version: "1"}\npaths:\n${yaml}`,
    });
    expect(fromYaml.document).to.deep.equal((await readValue(value)).document);
  });
});
