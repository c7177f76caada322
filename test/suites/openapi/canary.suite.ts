import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Generated, generate } from './rounds/generate.ts';

const canary = 'canary-that-nothing-may-show';

/** Files outside of the folder of a document, and a host, to which the document refers in each way that a reader could follow. */
interface Outside {
  readonly folder: string;
  readonly references: readonly string[];
  /** Requests that reached the host. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

async function plant(): Promise<Outside> {
  const outer = await temporaryFolder();
  const folder = path.join(outer, 'document');
  mkdirSync(folder);
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(secret());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = path.join(outer, 'secret.yaml');
  writeFileSync(file, secret());
  mkdirSync(path.join(outer, 'document-2'));
  writeFileSync(path.join(outer, 'document-2/secret.yaml'), secret());
  symlinkSync(file, path.join(folder, 'link.yaml'));
  symlinkSync(outer, path.join(folder, 'linked'));
  symlinkSync('/dev/zero', path.join(folder, 'zero.yaml'));
  // Reading a pipe to which nothing writes would never end.
  for (const pipe of [path.join(folder, 'pipe.yaml'), path.join(outer, 'pipe.yaml')]) execFileSync('mkfifo', [pipe]);
  const references = [
    '../secret.yaml',
    '..//secret.yaml',
    './../secret.yaml',
    'x/../../secret.yaml',
    '%2e%2e/secret.yaml',
    '..%2Fsecret.yaml',
    '..\\secret.yaml',
    '../document-2/secret.yaml',
    file,
    pathToFileURL(file).href,
    `file:${file}`,
    'file:../secret.yaml',
    'FILE:../secret.yaml',
    './link.yaml',
    './linked/secret.yaml',
    './zero.yaml',
    './pipe.yaml',
    '../pipe.yaml',
    './missing.yaml',
    '.',
    '/dev/zero',
    `http://${host}/http.yaml`,
    `HTTP://${host}/upper.yaml`,
    `https://${host}/https.yaml`,
    `//${host}/scheme-relative.yaml`,
    `http:/${host}/one-slash.yaml`,
    `http://user:password@${host}/credentials.yaml`,
    `ftp://${host}/ftp.yaml`,
    `data:application/json,${encodeURIComponent(JSON.stringify({ type: 'object' }))}`,
    `jar:${file}`,
  ];
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { folder, references, requests, close };
}

function secret(): string {
  return stringify({ type: 'object', description: canary, properties: { inner: { type: 'string', description: canary } } });
}

/** A document that refers to each place from a schema, a parameter, a body, an answer, a path, an example, a link and a discriminator. */
function documentOf(references: readonly string[]): Readonly<Record<string, unknown>> {
  const operations = references.flatMap((reference, index) => {
    const at = `${reference}#/properties/inner`;
    const ok = { responses: { 200: { description: 'done' } } };
    const parameter = (schema: unknown): unknown => [{ name: 'q', in: 'query', schema, example: { externalValue: reference } }];
    return [
      [`/schema/${index}`, { get: { operationId: `schema${index}`, parameters: parameter({ $ref: reference }), ...ok } }],
      [
        `/member/${index}`,
        { get: { operationId: `member${index}`, parameters: parameter({ type: 'object', properties: { a: { $ref: at } } }), ...ok } },
      ],
      [`/parameter/${index}`, { get: { operationId: `parameter${index}`, parameters: [{ $ref: reference }], ...ok } }],
      [`/body/${index}`, { post: { operationId: `body${index}`, requestBody: { $ref: reference }, ...ok } }],
      [
        `/answer/${index}`,
        {
          get: {
            operationId: `answer${index}`,
            responses: {
              200: { $ref: reference },
              201: {
                description: 'x',
                content: {
                  'application/json': { schema: { $ref: at }, examples: { a: { externalValue: reference }, b: { $ref: reference } } },
                },
              },
              202: { description: 'x', links: { next: { operationRef: reference } }, headers: { X: { $ref: reference } } },
            },
          },
        },
      ],
      [`/item/${index}`, { $ref: reference }],
      [
        `/discriminator/${index}`,
        {
          post: {
            operationId: `discriminator${index}`,
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    $schema: reference,
                    $dynamicRef: reference,
                    oneOf: [{ $ref: '#/components/schemas/Own' }],
                    discriminator: { propertyName: 'kind', mapping: { a: reference } },
                  },
                },
              },
            },
            externalDocs: { url: reference },
            ...ok,
          },
        },
      ],
    ] as const;
  });
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: references.find((reference) => reference.startsWith('http')),
    $self: references.find((reference) => reference.startsWith('http')),
    info: { title: 'Refers to what is outside', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths: Object.fromEntries(operations),
    components: { schemas: { Own: { type: 'object', properties: { kind: { type: 'string' } } } } },
  };
}

async function generated(document: string | object, name = 'openapi.yaml'): Promise<Generated> {
  const file = path.join(await temporaryFolder(), name);
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return generate(file);
}

describe('a document that refers to what is outside of it', () => {
  let outside: Outside;

  beforeEach(async () => {
    outside = await plant();
  });

  afterEach(() => outside.close());

  for (const name of ['openapi.yaml', 'openapi.json'])
    it(`opens nothing outside of its folder, and no request goes out (${name})`, async () => {
      const file = path.join(outside.folder, name);
      const document = documentOf(outside.references);
      writeFileSync(file, name.endsWith('json') ? JSON.stringify(document) : stringify(document));
      const { source, document: read, schemaNotes } = await generate(file);
      const everything = JSON.stringify([source, read.operations, read.skipped, read.notes, schemaNotes]);
      expect(everything).not.to.include(canary);
      expect(outside.requests).to.deep.equal([]);
      expect(read.skipped, 'operations without their parameter, body or path').to.have.length(3 * outside.references.length);
    });

  it('keeps the operations that need nothing of it', async () => {
    const document = documentOf(outside.references) as { paths: Record<string, unknown> };
    document.paths['/own'] = { get: { operationId: 'own', responses: {} } };
    const file = path.join(outside.folder, 'own.json');
    writeFileSync(file, JSON.stringify(document));
    const { source } = await generate(file);
    expect(source.tools.map(({ definition }) => definition['name'])).to.include('api_own');
  });
});

describe('a document that would fill the memory', () => {
  it('of aliases of aliases is refused, or read in bounded time', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `  l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(', ')}]`,
    );
    const text = [
      'openapi: 3.0.0',
      'info: {title: x, version: 1}',
      'servers: [{url: "https://api.example"}]',
      'x-laughs:',
      '  l0: &l0 [lol]',
      ...levels,
      'paths:',
      '  /a: { get: { operationId: a, responses: {}, parameters: [{name: q, in: query, schema: {enum: *l12}}] } }',
    ];
    const end = await generated(text.join('\n')).then(
      ({ source }) => source.tools.length,
      (error: { code?: string }) => error.code,
    );
    expect(end).to.be.oneOf(['CONFIG_INVALID', 1, 0]);
  });

  it('of a chain of ten thousand references is read', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `s${index}`,
        index === 9_999 ? { type: 'string' } : { $ref: `#/components/schemas/s${index + 1}` },
      ]),
    );
    const { source } = await generated(withSchema({ $ref: '#/components/schemas/s0' }, schemas), 'openapi.json');
    expect(source.tools).to.have.length(1);
  });

  for (const [what, schemas] of Object.entries({
    'a reference to itself': { s: { $ref: '#/components/schemas/s' } },
    'references in a circle': { s: { $ref: '#/components/schemas/t' }, t: { $ref: '#/components/schemas/s' } },
    'allOf of itself': { s: { allOf: [{ $ref: '#/components/schemas/s' }, { type: 'object' }] } },
    'allOf in a circle': { s: { allOf: [{ $ref: '#/components/schemas/t' }] }, t: { allOf: [{ $ref: '#/components/schemas/s' }] } },
    'a required member of its own type': { s: { type: 'object', required: ['s'], properties: { s: { $ref: '#/components/schemas/s' } } } },
    'names of prototypes': {
      s: { type: 'object', properties: JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}}') },
    },
    'references that double at each level': Object.fromEntries([
      ['s', { $ref: '#/components/schemas/d0' }],
      ...Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        level === 39
          ? { type: 'string' }
          : {
              type: 'object',
              properties: { a: { $ref: `#/components/schemas/d${level + 1}` }, b: { $ref: `#/components/schemas/d${level + 1}` } },
            },
      ]),
    ]),
  }))
    it(`of ${what} is read`, async () => {
      const { source } = await generated(withSchema({ $ref: '#/components/schemas/s' }, schemas), 'openapi.json');
      expect(source.tools.length + source.skipped.length).to.equal(1);
    });
});

function withSchema(schema: unknown, schemas: unknown): object {
  return {
    openapi: '3.0.3',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
        },
      },
    },
    components: { schemas },
  };
}
