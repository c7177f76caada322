import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { type CallTool, httpTool } from '../http-tool.ts';
import { partsOf, type Upload, uploads } from '../uploads.ts';

const types = {
  'application/json': { body: { title: '{title}', size: '{size}' } },
  'application/x-www-form-urlencoded': { form: { title: '{title}', tags: { value: '{tags}', style: 'form', explode: false } } },
  'multipart/form-data': { multipart: { title: '{title}', document: { file: '{document}' } } },
  'application/xml': { body: '{body_xml}' },
  'application/octet-stream': { body_file: '{document}' },
  'application/vnd.acme+json; version=2': { body: '{thing}' },
};

const parameters = {
  content_type: { type: 'string', enum: Object.keys(types) },
  title: { type: 'string' },
  size: { type: 'integer' },
  tags: { type: 'array' },
  body_xml: { type: 'string' },
  document: { type: 'string', path: 'read' },
  thing: { type: 'object' },
  id: { type: 'string' },
};

interface Sender {
  readonly call: CallTool;
  readonly seen: readonly Upload[];
  readonly folder: string;
}

async function sender(keys: object = {}, more: object = {}): Promise<Sender> {
  const { url, seen } = await uploads();
  const folder = await temporaryFolder({ 'a.txt': 'the file' });
  const execution = { method: 'post', url: `${url}/{id}`, body_types: { parameter: 'content_type', types }, ...keys };
  return { call: await httpTool({ execution, parameters: { ...parameters, ...more }, roots: [folder] }), seen, folder };
}

const xml = '<a b="c&amp;d">{title} & é漢</a>';

describe('executor-http: body_types', () => {
  const sent = [
    { what: 'the first type by default', values: { title: 't', size: 3 }, type: 'application/json', body: '{"title":"t","size":3}' },
    { what: 'an empty object of it', values: {}, type: 'application/json', body: '{}' },
    {
      what: 'a form',
      values: { content_type: 'application/x-www-form-urlencoded', title: 'a b', tags: ['1,', '2'] },
      type: 'application/x-www-form-urlencoded',
      body: 'title=a+b&tags=1%2C,2',
    },
    { what: 'XML as it is written', values: { content_type: 'application/xml', body_xml: xml }, type: 'application/xml', body: xml },
    { what: 'no type where the text is missing', values: { content_type: 'application/xml' }, type: undefined, body: '' },
    {
      what: 'a type with a parameter',
      values: { content_type: 'application/vnd.acme+json; version=2', thing: { a: [1] } },
      type: 'application/vnd.acme+json; version=2',
      body: '{"a":[1]}',
    },
  ];
  for (const { what, values, type, body } of sent)
    it(`send ${what}`, async () => {
      const { call, seen } = await sender();
      await call({ id: 'x', ...values });
      expect([seen[0]?.headers['content-type'], seen[0]?.bytes.toString()]).to.deep.equal([type, body]);
    });

  it('send parts and files', async () => {
    const { call, seen, folder } = await sender();
    const document = path.join(folder, 'a.txt');
    await writeFile(document, 'the file');
    await call({ id: 'x', content_type: 'multipart/form-data', title: 't', document });
    await call({ id: 'x', content_type: 'application/octet-stream', document });
    const [first, second] = seen as [Upload, Upload];
    expect(first.headers['content-type']).to.match(/^multipart\/form-data; boundary=/);
    expect(await partsOf(first)).to.deep.equal([
      ['title', 't'],
      ['document', { name: 'a.txt', type: 'text/plain', text: 'the file' }],
    ]);
    expect([second.headers['content-type'], second.bytes.toString()]).to.deep.equal(['application/octet-stream', 'the file']);
  });

  it('refuse a parameter of another type, by its name, before anything is sent', async () => {
    const { call, seen } = await sender();
    const error = await rejection(call({ id: 'x', title: 't', body_xml: xml }), 'INVALID_PARAMETERS');
    expect(error.message).to.equal(
      'Parameter "body_xml" belongs to the body type "application/xml", but this call sends "application/json". Leave it out, or give content_type: "application/xml".',
    );
    const other = await rejection(call({ id: 'x', content_type: 'application/xml', title: 't' }), 'INVALID_PARAMETERS');
    expect(other.message).to.include('"application/json" or "application/x-www-form-urlencoded" or "multipart/form-data"');
    expect(seen).to.have.lengthOf(0);
  });

  it('take a parameter that the rest of the request uses, and one with a default', async () => {
    const { call, seen } = await sender({ query_params: { title: '{title}' } }, { size: { type: 'integer', default: 5 } });
    await call({ id: 'x', content_type: 'application/xml', body_xml: xml, title: 't' });
    expect([seen[0]?.method, seen[0]?.bytes.toString()]).to.deep.equal(['POST', xml]);
  });

  it('refuse a source of an encoding that only another type uses', async () => {
    const body_types = {
      parameter: 'content_type',
      types: { 'text/plain': { body: '{id}' }, 'application/json': { body: { a: '{made}' } } },
    };
    const parameter_encoding = { source: ['thing'], target: 'made', encoding: 'json_compact' };
    const { call } = await sender({ body_types, parameter_encoding }, { content_type: {} });
    const error = await rejection(call({ id: 'x', thing: {} }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('"thing" belongs to the body type "application/json"');
  });

  for (const type of ['text/html', '__proto__', 'constructor', '', 'APPLICATION/JSON', 7, ['application/json'], {}])
    it(`refuse the type ${JSON.stringify(type)}`, async () => {
      const { call, seen } = await sender({}, { content_type: {} });
      await rejection(call({ id: 'x', content_type: type }), 'INVALID_PARAMETERS');
      expect(seen).to.have.lengthOf(0);
    });

  it('do not get the Content-Type of the provider', async () => {
    const { url, seen } = await uploads();
    const call = await httpTool({
      execution: { method: 'post', url, body_types: { parameter: 'content_type', types } },
      parameters,
      provider: { headers: { 'content-type': 'text/html', 'X-Shop': '1' } },
      roots: [await temporaryFolder()],
    });
    await call({ title: 't' });
    expect([seen[0]?.headers['content-type'], seen[0]?.headers['x-shop']]).to.deep.equal(['application/json', '1']);
  });
});

const at = (type: string, content: unknown): object => ({ body_types: { parameter: 'content_type', types: { [type]: content } } });

describe('executor-http: body_types that are wrong', () => {
  const wrong: readonly (readonly [what: string, execution: object, place: string, says: string])[] = [
    ['beside a body', { body: {}, ...at('application/json', { body: {} }) }, 'body', 'cannot stand beside "body_types"'],
    ['with GET', { method: 'get', ...at('application/json', { body: {} }) }, 'body_types', 'with the method "get"'],
    [
      'with a header',
      { headers: { 'content-type': 'text/csv' }, ...at('text/csv', { body: '{text}' }) },
      'headers.content-type',
      'Remove the header',
    ],
    ['without a body', at('application/json', {}), 'body_types.types.application/json', 'received none'],
    ['with two', at('application/json', { body: {}, form: {} }), 'body_types.types.application/json', 'received body and form'],
    ['with an unknown key', at('application/json', { bdy: {} }), 'body_types.types.application/json.bdy', 'Did you mean "body"?'],
    ['with no type', at('json', { body: {} }), 'body_types.types.json', 'no media type'],
    ['with every type', at('*/*', { body: {} }), 'body_types.types.*/*', 'no media type'],
    ['with a type from a caller', at('text/{text}', { body: 'a' }), 'body_types.types.text/{text}', 'no media type'],
    ['with a type that breaks the header', at('text/plain\r\nX-A: 1', { body: 'a' }), 'body_types.types', 'no media type'],
    ['with a form as JSON', at('application/json', { form: {} }), 'body_types.types.application/json', 'x-www-form-urlencoded'],
    ['with parts as mixed', at('multipart/mixed', { multipart: { a: '1' } }), 'body_types.types.multipart/mixed', 'multipart/form-data'],
    ['with an object as XML', at('application/xml', { body: { a: '{text}' } }), 'body_types.types.application/xml', 'sent as JSON'],
    ['with JSON that is none', at('application/json', { body: 'a: {text}' }), 'body_types.types.application/json', 'is no JSON'],
    ['with no file', at('image/png', { body_file: '{text}' }), 'body_types.types.image/png.body_file', 'no path of a file'],
    ['with a local path', at('application/json', { body: { a: '{file}' } }), 'body_types.types.application/json.body', 'local path {file}'],
    [
      'with a wrong style',
      at('application/x-www-form-urlencoded', { form: { a: { value: '{text}', style: 'label' } } }),
      'form.a.style',
      'expected one of',
    ],
    ['with an unknown placeholder', at('application/json', { body: { a: '{texd}' } }), 'execution', 'Did you mean "text"?'],
    [
      'of an unknown parameter',
      { body_types: { parameter: 'content_typ', types: { 'text/csv': { body: '{text}' } } } },
      'body_types.parameter',
      'Did you mean "content_type"?',
    ],
    [
      'of a number',
      { body_types: { parameter: 'size', types: { 'text/csv': { body: '{text}' } } } },
      'body_types.parameter',
      'not declared as a string',
    ],
    [
      'of another enum',
      { body_types: { parameter: 'kind', types: { 'text/csv': { body: '{text}' }, 'text/html': { body: '{text}' } } } },
      'body_types.parameter',
      'expected text/csv, text/html',
    ],
    ['that are none', { body_types: { parameter: 'content_type', types: {} } }, 'body_types.types', 'expected'],
    [
      'with a field of the authentication',
      { auth: { type: 'form', name: 'a', value: 'b' }, ...at('application/json', { body: {} }) },
      'auth',
      'adds a field to "form"',
    ],
    ['left out without one', { body_optional: true }, 'body_optional', 'which the execution does not have'],
  ];
  for (const [what, execution, place, says] of wrong)
    it(`are refused ${what}`, async () => {
      const tool = {
        name: 'probe',
        description: 'd',
        parameters: {
          content_type: { type: 'string' },
          text: { type: 'string' },
          size: { type: 'integer' },
          kind: { type: 'string', enum: ['text/csv'] },
          file: { type: 'string', path: 'read' },
        },
        execution: { type: 'http', method: 'post', url: 'https://shop.example/', ...execution },
      };
      const kernel = await testKernel({ tools: [tool], plugins: [executorHttp(), confinePaths({ roots: [] })] });
      const problems = kernel.registry.problems.map(({ severity, path: key, message }) => `${severity} ${key} ${message}`);
      expect(problems.join('\n'))
        .to.match(/^error /)
        .and.to.include(place)
        .and.to.include(says);
    });
});

describe('executor-http: body_optional', () => {
  const bodies = [
    { what: 'an object', execution: { body: { kind: 'x', title: '{title}' } }, given: '{"kind":"x","title":"t"}' },
    { what: 'a form', execution: { form: { kind: 'x', title: '{title}' } }, given: 'kind=x&title=t' },
    { what: 'a text', execution: { body: 'say {title}', headers: { 'Content-Type': 'text/plain' } }, given: 'say t' },
    {
      what: 'a type',
      execution: { body_types: { parameter: 'content_type', types: { 'application/json': { body: '{title}' } } } },
      given: 't',
    },
    { what: 'parts', execution: { multipart: { title: '{title}' } }, given: 'name="title"' },
  ];
  for (const { what, execution, given } of bodies)
    it(`leaves ${what} out with its type where nothing of it is given`, async () => {
      const { url, seen } = await uploads();
      const call = await httpTool({
        execution: { method: 'post', url, ...execution, body_optional: true },
        parameters: { title: { type: 'string' }, content_type: { type: 'string' } },
      });
      await call({});
      await call({ title: 't' });
      expect(seen[0]?.headers).to.include({ 'content-length': '0' }).and.to.not.have.property('content-type');
      expect(seen[1]?.bytes.toString()).to.include(given);
    });

  it('sends what only holds a credential, or a field of the authentication', async () => {
    const { url, seen } = await uploads();
    const execution = { method: 'post', url, form: { title: '{title}' }, body_optional: true };
    const field = await httpTool({ execution: { ...execution, auth: { type: 'form', name: 'key', value: 'k' } } });
    await field({});
    const credential = await httpTool({ execution: { ...execution, form: { key: '{API_KEY}' } }, env: { API_KEY: 'k' } });
    await credential({});
    expect(seen.map(({ bytes }) => bytes.toString())).to.deep.equal(['key=k', 'key=k']);
  });
});
