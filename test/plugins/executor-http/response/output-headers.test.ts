import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect } from 'chai';
import { formatProblem } from '../../../../kernel/index.ts';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { connect } from '../../mcp/support/client.ts';
import { type CallTool, httpTool } from '../http-tool.ts';

const output_headers = ['Location', 'ETag', 'X-Total-Count'];

async function called(answer: (response: ServerResponse) => void, definition: object = {}, execution: object = {}): Promise<CallTool> {
  const { url } = await loopback((_request, response) => answer(response));
  return httpTool({ execution: { url, ...execution }, definition: { output_headers, ...definition } });
}

describe('executor-http: output_headers', () => {
  const answers: readonly { what: string; answer: (response: ServerResponse) => void; output: unknown; more?: object; method?: string }[] =
    [
      {
        what: 'the headers by lower-case names beside the answer, without absent ones',
        answer: (response) => json(response, { id: 1 }, 201, { LOCATION: '/things/1', ETag: 'W/"7"', 'X-Other': 'no' }),
        output: { headers: { location: '/things/1', etag: 'W/"7"' }, body: { id: 1 } },
      },
      {
        what: 'no headers where the answer has none of them',
        answer: (response) => json(response, [1]),
        output: { headers: {}, body: [1] },
      },
      {
        what: 'a repeated header as one text',
        answer: (response) => void response.writeHead(200, { 'x-total-count': ['1', '2'], 'content-type': 'text/plain' }).end('a'),
        output: { headers: { 'x-total-count': '1, 2' }, body: 'a' },
      },
      {
        what: 'an empty header as an empty text',
        answer: (response) => void response.writeHead(200, { etag: '', 'content-type': 'text/plain' }).end('a'),
        output: { headers: { etag: '' }, body: 'a' },
      },
      {
        what: 'no body of an empty answer',
        answer: (response) => void response.writeHead(204, { location: '/x' }).end(),
        output: { headers: { location: '/x' } },
      },
      {
        what: 'no body of an empty answer, whatever select says',
        answer: (response) => void response.writeHead(204, { location: '/x' }).end(),
        more: { select: '{ a: @ }' },
        output: { headers: { location: '/x' } },
      },
      {
        what: 'no body of a HEAD request',
        answer: (response) => json(response, { id: 1 }, 200, { 'x-total-count': '40' }),
        method: 'head',
        output: { headers: { 'x-total-count': '40' } },
      },
      { what: 'a body of null', answer: (response) => json(response, null), output: { headers: {}, body: null } },
      {
        what: 'the body as select shapes it',
        answer: (response) => json(response, { items: [{ id: 1 }] }, 200, { etag: 'e' }),
        more: { select: 'items[].id' },
        output: { headers: { etag: 'e' }, body: [1] },
      },
      {
        what: 'a long value cut',
        answer: (response) => json(response, 1, 200, { etag: 'e'.repeat(5000) }),
        output: { headers: { etag: 'e'.repeat(4096) }, body: 1 },
      },
    ];
  for (const { what, answer, output, more = {}, method = 'get' } of answers)
    it(`gives ${what}`, async () => {
      expect((await (await called(answer, more, { method }))()).output).to.deep.equal(output);
    });

  it('gives the headers of the last answer of a redirect', async () => {
    const { url } = await loopback(({ url: asked }, response) =>
      asked === '/b' ? json(response, 1, 200, { etag: 'last' }) : void response.writeHead(302, { location: '/b', etag: 'first' }).end(),
    );
    const call = await httpTool({ execution: { url }, definition: { output_headers } });
    expect((await call()).output).to.deep.equal({ headers: { etag: 'last' }, body: 1 });
  });

  it('leaves an answer with an error status an error', async () => {
    const call = await called((response) => json(response, { error: 'gone' }, 404, { etag: 'e' }));
    expect((await rejection(call(), 'NOT_FOUND')).message).to.not.include('etag');
  });

  it('masks the secrets of a header as those of a body', async () => {
    const { url } = await loopback(({ headers }, response) => json(response, {}, 200, { location: `/things?key=${headers['x-key']}` }));
    const call = await httpTool({
      execution: { url, headers: { 'X-Key': '{SHOP_API_KEY}' } },
      env: { SHOP_API_KEY: 'sk-0123456789abcdef' },
      definition: { output_headers },
    });
    expect((await call()).output).to.deep.equal({ headers: { location: '/things?key=[secret SHOP_API_KEY]' }, body: {} });
  });

  it('gives a saved answer as the body', async () => {
    const folder = await temporaryFolder();
    const { url } = await loopback((_request, response) => json(response, { a: 1 }, 200, { etag: 'e' }));
    const call = await httpTool({
      execution: { url },
      parameters: { file: { type: 'string', path: 'write' } },
      definition: { output_headers, save_to: { parameter: 'file' }, annotations: { readOnlyHint: false }, select: 'a' },
      roots: [folder],
    });
    const { headers, body } = (await call({ file: 'a.json' })).output as { headers: object; body: object };
    expect(headers).to.deep.equal({ etag: 'e' });
    expect(body).to.deep.include({ path: path.join(folder, 'a.json'), bytes: 7 });
    expect((await call()).output).to.deep.equal({ headers: { etag: 'e' }, body: 1 });
  });

  it('shows an image with the headers as text after it', async () => {
    const call = await called((response) => void response.writeHead(200, { 'content-type': 'image/png', etag: 'e' }).end('png'));
    const { content, output } = await call();
    expect(content?.map(({ type }) => type)).to.deep.equal(['image', 'text']);
    expect(content?.[1]).to.deep.include({ text: '{"headers":{"etag":"e"}}' });
    expect(output).to.have.nested.property('body.base64');
  });

  it('is what output_schema describes, over MCP too', async () => {
    const { url } = await loopback((_request, response) => json(response, { id: 1 }, 201, { location: '/things/1' }));
    const kernel = await testKernel({
      tools: [
        {
          name: 'make',
          description: 'Makes.',
          execution: { type: 'http', method: 'post', url },
          output_headers: ['Location'],
          output_schema: {
            type: 'object',
            properties: { headers: { type: 'object', properties: { location: { type: 'string' } } }, body: { type: 'object' } },
            required: ['headers', 'body'],
          },
        },
      ],
      plugins: [executorHttp()],
    });
    const { call } = await connect(kernel);
    expect((await call('make')).structuredContent).to.deep.equal({ headers: { location: '/things/1' }, body: { id: 1 } });
  });

  const shape = (headers: object, more: object = {}): object => ({
    type: 'object',
    properties: { headers, body: { type: 'object' } },
    ...more,
  });
  const fitting: readonly { what: string; output_schema: object }[] = [
    { what: 'a body of a type', output_schema: shape({ type: 'object' }, { required: ['headers', 'body'], additionalProperties: false }) },
    {
      what: 'a pattern of a header',
      output_schema: shape({
        properties: { etag: { pattern: '^W' }, location: {}, 'x-total-count': { type: 'string' } },
        additionalProperties: false,
      }),
    },
    { what: 'nothing', output_schema: {} },
  ];
  for (const { what, output_schema } of fitting)
    it(`may stand beside an output_schema with ${what}`, async () => {
      expect(await problemsOf({ output_headers, output_schema })).to.equal('');
    });

  const refused: readonly { what: string; definition: object; says: string; execution?: object }[] = [
    {
      what: 'Set-Cookie',
      definition: { output_headers: ['ETag', 'Set-Cookie'] },
      says: 'output_headers.1: names "Set-Cookie", which carries',
    },
    ...['WWW-Authenticate', 'authorization', 'X-Auth-Token', 'Cookie'].map((name) => ({
      what: name,
      definition: { output_headers: [name] },
      says: 'carries a credential',
    })),
    {
      what: 'the header of its own authentication',
      definition: { output_headers: ['x-shop'] },
      execution: { auth: { type: 'header', name: 'X-Shop', value: '{SHOP_KEY}' } },
      says: 'carries a credential',
    },
    { what: 'a name twice', definition: { output_headers: ['ETag', 'etag'] }, says: 'names "etag", as entry 0 does' },
    { what: 'no name', definition: { output_headers: [] }, says: 'output_headers' },
    { what: 'a name with a space', definition: { output_headers: ['E Tag'] }, says: 'output_headers' },
    {
      what: 'pages',
      definition: { output_headers, paginate: { items: '', limit: 'limit', next: { link: { parameter: 'page' } } } },
      says: 'cannot stand beside "paginate"',
    },
    {
      what: 'a schema of the answer alone',
      definition: { output_headers, output_schema: { type: 'array' } },
      says: 'which output_schema refuses: expected array, received object',
    },
    {
      what: 'a schema without headers',
      definition: { output_headers, output_schema: { type: 'object', properties: { body: {} }, additionalProperties: false } },
      says: 'which output_schema refuses: headers is not known here',
    },
    {
      what: 'a schema that requires another header',
      definition: { output_headers, output_schema: shape({ type: 'object', required: ['x-else'] }) },
      says: 'which output_schema refuses: headers.x-else is required',
    },
    {
      what: 'a schema that knows only other headers',
      definition: { output_headers, output_schema: shape({ type: 'object', properties: { etag: {} }, additionalProperties: false }) },
      says: 'headers.location is not known here',
    },
    {
      what: 'a schema that refuses the saved file',
      definition: {
        output_headers,
        save_to: { parameter: 'file' },
        annotations: { readOnlyHint: false },
        output_schema: shape({ type: 'object' }, { properties: { headers: {}, body: { type: 'array' } } }),
      },
      says: 'save_to: gives { path, bytes, content_type, sha256 }, which output_schema refuses: body expected array',
    },
  ];
  for (const { what, definition, says, execution } of refused)
    it(`is refused with ${what}`, async () => {
      expect(await problemsOf(definition, execution)).to.include(says);
    });
});

async function problemsOf(definition: object, execution: object = {}): Promise<string> {
  const parameters = { limit: { type: 'integer' }, page: { type: 'string' }, file: { type: 'string', path: 'write' } };
  const own = { type: 'http', method: 'get', url: 'https://api.example/', query_params: { page: '{page}' }, ...execution };
  const tool = { name: 'probe', description: 'Probes.', parameters, execution: own, ...definition };
  const kernel = await testKernel({ tools: [tool], plugins: [executorHttp(), confinePaths({ roots: [await temporaryFolder()] })] });
  return kernel.registry.problems.map(formatProblem).join('\n');
}
