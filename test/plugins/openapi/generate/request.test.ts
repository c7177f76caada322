import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { json, loopback } from '../../../support/loopback.ts';
import { executionOf, generatedFrom, linked, propertiesOf, requiredOf, toolOf } from './generated-from.ts';

const text = { type: 'string' };
const answer = { 204: { description: 'done' } };

function body(type: string, schema: object, more: object = {}): object {
  return { requestBody: { required: true, content: { [type]: { schema, ...more } } }, responses: answer };
}

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('requests of generated tools', () => {
  it('have parameters and members of the body beside each other', async () => {
    const tool = await toolOf(
      {
        ...body('application/json', object({ title: text, size: { type: 'integer' } }, { required: ['title'] })),
        parameters: [
          { name: 'shop-id', in: 'path', required: true, schema: text },
          { name: 'filter[from]', in: 'query', schema: text },
          { name: 'X-Trace', in: 'header', schema: text },
          { name: 'theme', in: 'cookie', schema: text },
        ],
      },
      { at: 'post /shops/{shop-id}/items' },
    );
    expect(Object.keys(propertiesOf(tool))).to.deep.equal(['shop_id', 'filter_from', 'X_Trace', 'theme', 'title', 'size']);
    expect(requiredOf(tool)).to.deep.equal(['shop_id', 'title']);
    expect(executionOf(tool)).to.deep.include({
      url: '/shops/{shop_id}/items',
      headers: { 'Content-Type': 'application/json', 'X-Trace': '{X_Trace}' },
      cookies: { theme: '{theme}' },
      body: { title: '{title}', size: '{size}' },
    });
    expect(executionOf(tool)['query_params']).to.deep.equal({ 'filter[from]': { value: '{filter_from}', style: 'form', explode: true } });
    expect(tool.notes.join()).to.include('have another name than in the document');
  });

  it('have the whole body as one parameter where a member has the name of another parameter', async () => {
    const tool = await toolOf({
      ...body('application/json', object({ id: text })),
      parameters: [{ name: 'id', in: 'query', schema: text }],
    });
    expect(Object.keys(propertiesOf(tool))).to.deep.equal(['id', 'body']);
    expect(executionOf(tool)['body']).to.equal('{body}');
  });

  for (const [title, schema] of [
    ['a list', { type: 'array', items: text }],
    ['a free map', { type: 'object', additionalProperties: text }],
    ['a union', { oneOf: [object({ a: text }), object({ b: text })] }],
    ['an object that requires a member without a description', object({ a: text }, { required: ['b'] })],
  ] as const)
    it(`have one parameter for ${title}`, async () => {
      const tool = await toolOf(body('application/json', schema));
      expect(Object.keys(propertiesOf(tool))).to.deep.equal(['body']);
      expect(executionOf(tool)['body']).to.equal('{body}');
    });

  it('have no parameter for an object without members', async () => {
    const empty = { type: 'object', properties: {}, additionalProperties: false };
    const form = { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: empty } } }, responses: answer };
    const tool = await toolOf(form);
    expect(propertiesOf(tool)).to.deep.equal({});
    expect(executionOf(tool)).not.to.have.any.keys('form', 'body', 'body_optional');
    expect(executionOf(await toolOf(body('application/json', empty)))['body']).to.deep.equal({});
  });

  it('send a form without known members member by member', async () => {
    const tool = await toolOf(body('application/x-www-form-urlencoded', { type: 'object', additionalProperties: text }));
    expect(executionOf(tool)).to.deep.include({ body: '{body}', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  });

  it('offer each way to patch, and one of several plain JSON types', async () => {
    const json = { schema: object({ a: text }) };
    const content = { 'application/vnd.x+json': json, 'application/json': json, 'application/merge-patch+json': json };
    const tool = await toolOf({ requestBody: { content }, responses: answer }, { at: 'patch /items' });
    expect(propertiesOf(tool)['content_type']).to.deep.include({ enum: ['application/json', 'application/merge-patch+json'] });
    expect(executionOf(tool)['body_types']).to.have.property('parameter', 'content_type');
  });

  it('have an XML body as a text, with an example as it is', async () => {
    const tool = await toolOf(body('application/xml', object({ a: text })), { xmlExample: () => '<a>1</a>' });
    expect(propertiesOf(tool)['body_xml']).to.deep.equal({ type: 'string', description: 'The body, as XML. Example: <a>1</a>' });
    expect(executionOf(tool)['body']).to.equal('{body_xml}');
  });

  it('take paths for files: alone, in a list, and as the whole body', async () => {
    const file = { type: 'string', format: 'binary' };
    const parts = await toolOf(
      body('multipart/form-data', object({ photo: file, more: { type: 'array', items: file }, meta: object({ a: text }) })),
    );
    expect(executionOf(parts)['multipart']).to.deep.equal({
      photo: { file: '{photo}' },
      more: { file: '{more}' },
      meta: { value: '{meta}', content_type: 'application/json' },
    });
    expect(parts.definition['parameters']).to.deep.equal({ photo: { path: 'read' }, more: { path: 'read' } });
    const whole = await toolOf(body('application/octet-stream', file), { at: 'put /items' });
    expect(executionOf(whole)['body_file']).to.equal('{file}');
  });

  it('send a part as text where the schema allows one beside an object', async () => {
    const tool = await toolOf(body('multipart/form-data', object({ photo: { anyOf: [object({ a: text }), text] } })));
    expect(executionOf(tool)['multipart']).to.deep.equal({ photo: '{photo}' });
  });

  it('declare a name like that of a credential as what it is', async () => {
    const tool = await toolOf({ responses: answer, parameters: [{ name: 'page_token', in: 'query', schema: text }] }, { at: 'get /items' });
    expect(tool.definition['parameters']).to.deep.equal({ page_token: { auth: false } });
    expect(propertiesOf(tool)['page_token']).to.deep.equal({ type: 'string' });
  });

  it('encode a parameter with JSON content, also one with a name like that of a credential', async () => {
    const content = { 'application/json': { schema: object({ a: text }) } };
    const generated = await generatedFrom({
      paths: { '/items': { get: { responses: answer, parameters: [{ name: 'keywords', in: 'query', content }] } } },
    });
    const { tools } = await linked(generated);
    expect(tools[0]?.credentials).to.deep.equal([]);
  });

  it('say a default of the document, and do not send it', async () => {
    const { url, requests } = await loopback((_, response) => json(response, []));
    const parameters = [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } }];
    const responses = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: {} } } } } };
    const generated = await generatedFrom({ paths: { '/items': { get: { parameters, responses } } } }, { source: { server: url } });
    const [tool] = generated.tools;
    expect(tool && propertiesOf(tool)['limit']).to.deep.equal({ type: 'integer', description: 'Default: 20.' });
    const { kernel } = await linked(generated);
    await kernel.call({ tool: 'shop_get_items', parameters: {} });
    expect(requests.map((request) => request.url)).to.deep.equal(['/items']);
  });

  it('send the values of a call as they are given', async () => {
    const { url, requests } = await loopback((_, response) => json(response, { ok: true }));
    const post = {
      operationId: 'addItem',
      ...body('application/json', object({ title: text, note: { type: 'string', nullable: true }, tags: { type: 'array', items: text } })),
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      responses: { 200: { description: 'ok', content: { 'application/json': { schema: object({ ok: { type: 'boolean' } }) } } } },
    };
    const { kernel } = await linked(await generatedFrom({ paths: { '/shops/{id}/items': { post } } }, { source: { server: url } }));
    await kernel.call({ tool: 'shop_add_item', parameters: { id: 'ä/b', title: '{id} "x"', note: null, tags: [] } });
    expect(requests[0]?.url).to.equal('/shops/%C3%A4%2Fb/items');
    expect(JSON.parse(requests[0]?.body ?? '')).to.deep.equal({ title: '{id} "x"', note: null, tags: [] });
  });

  it('upload a file, and leave out one that is not given', async () => {
    const { url, requests } = await loopback((_, response) => json(response, {}));
    const file = { type: 'string', format: 'binary' };
    const post = { operationId: 'upload', ...body('multipart/form-data', object({ photo: file, other: file, name: text })) };
    const { kernel, folder } = await linked(await generatedFrom({ paths: { '/photos': { post } } }, { source: { server: url } }));
    await writeFile(path.join(folder, 'a.txt'), 'content of a');
    await kernel.call({ tool: 'shop_upload', parameters: { photo: path.join(folder, 'a.txt'), name: 'A' } });
    expect(requests[0]?.body).to.include('content of a').and.include('filename="a.txt"').and.not.include('name="other"');
  });
});
