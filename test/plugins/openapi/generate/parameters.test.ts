import { expect } from 'chai';
import type { GeneratedTool } from '../../../../plugins/openapi/generate/generated.ts';
import { sentBy, toolOf } from './generated-from.ts';

const thingOf = (operation: object, path = '/things'): Promise<GeneratedTool> => toolOf(operation, { at: `get ${path}` });

const text = { schema: { type: 'string' } };
const list = { schema: { type: 'array', items: { type: 'string' } } };

describe('parameters of a generated tool', () => {
  const wire = [
    {
      what: 'a text in the path',
      parameter: { name: 'id', in: 'path', required: true, ...text },
      path: '/things/{id}',
      sent: {},
      url: '/things/{id}',
    },
    {
      what: 'a list in the path as matrix',
      parameter: { name: 'ids', in: 'path', required: true, style: 'matrix', explode: true, ...list },
      path: '/things/{ids}',
      sent: { path_params: { ids: { value: '{ids}', style: 'matrix', explode: true, name: 'ids' } } },
      url: '/things/{ids}',
    },
    {
      what: 'a text in the query',
      parameter: { name: 'q', in: 'query', ...text },
      sent: { query_params: { q: { value: '{q}', style: 'form', explode: true } } },
    },
    {
      what: 'a list in the query, separated by commas',
      parameter: { name: 'ids', in: 'query', explode: false, ...list },
      sent: { query_params: { ids: { value: '{ids}', style: 'form', explode: false } } },
    },
    {
      what: 'an object as deepObject, which has one form only',
      parameter: { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { a: { type: 'string' } } } },
      sent: { query_params: { filter: { value: '{filter}', style: 'deepObject', explode: true } } },
    },
    { what: 'a header', parameter: { name: 'X-Trace', in: 'header', ...text }, sent: { headers: { 'X-Trace': '{X_Trace}' } } },
    {
      what: 'a list in a header',
      parameter: { name: 'X-Ids', in: 'header', ...list },
      sent: { headers: { 'X-Ids': { value: '{X_Ids}', explode: false } } },
    },
    { what: 'a cookie', parameter: { name: 'sid', in: 'cookie', ...text }, sent: { cookies: { sid: '{sid}' } } },
    {
      what: 'a parameter with a media type, as JSON',
      parameter: { name: 'where', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
      sent: {
        query_params: { where: { value: '{where_as_json}', style: 'form', explode: true } },
        parameter_encoding: [{ source: ['where'], target: 'where_as_json', encoding: 'json_compact' }],
      },
    },
    {
      what: 'a name that no model API takes, as it is written',
      parameter: { name: 'filter[from]', in: 'query', ...text },
      sent: { query_params: { 'filter[from]': { value: '{filter_from}', style: 'form', explode: true } } },
    },
    {
      what: 'a name that looks like a placeholder, as it is written',
      parameter: { name: '{x}', in: 'query', ...text },
      sent: { query_params: { '{{x}}': { value: '{x}', style: 'form', explode: true } } },
    },
  ];
  for (const { what, parameter, path = '/things', sent, url = '/things' } of wire)
    it(`send ${what}`, async () => {
      const tool = await thingOf({ parameters: [parameter] }, path);
      expect(sentBy(tool)).to.deep.equal(sent);
      expect(tool.definition['execution']).to.include({ url });
    });

  it('do not include headers that the executor writes', async () => {
    const parameters = ['Content-Length', 'Host', 'X-Own'].map((name) => ({ name, in: 'header', ...text }));
    const tool = await thingOf({ parameters });
    expect(sentBy(tool)).to.deep.equal({ headers: { 'X-Own': '{X_Own}' } });
  });

  it('keep names apart that become one: each has its place behind it', async () => {
    const { definition } = await thingOf(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, ...text },
          { name: 'id', in: 'query', ...text },
        ],
      },
      '/things/{id}',
    );
    expect(Object.keys((definition['input_schema'] as { properties: object }).properties)).to.deep.equal(['id', 'id_query']);
  });

  it('are ordinary values even where their name looks like that of a credential', async () => {
    const { definition } = await thingOf({ parameters: [{ name: 'api_token', in: 'query', ...text }] });
    expect(definition['input_schema']).to.deep.equal({
      type: 'object',
      properties: { api_token: { type: 'string' } },
      additionalProperties: false,
    });
    expect(definition['parameters']).to.deep.equal({ api_token: { auth: false } });
  });

  it('tell a default of the document and do not send it', async () => {
    const { definition } = await thingOf({
      parameters: [{ name: 'limit', in: 'query', description: 'How many.', schema: { type: 'integer', default: 20 } }],
    });
    const { properties } = definition['input_schema'] as { properties: Record<string, unknown> };
    expect(properties['limit']).to.deep.equal({ type: 'integer', description: 'How many. Default: 20.' });
  });

  it('have texts without control characters, at most 300 characters of them', async () => {
    const { definition } = await thingOf({
      parameters: [{ name: 'q', in: 'query', description: `\u001b[31mred\u0007 ${'word '.repeat(200)}`, ...text }],
    });
    const { properties } = definition['input_schema'] as { properties: Record<string, { description: string }> };
    expect(properties['q']?.description).to.match(/^\[31mred word/);
    expect(properties['q']?.description).to.have.length.at.most(300);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point of the test
    expect(properties['q']?.description).to.not.match(/[\u0000-\u001f]/);
  });

  it('do not include __proto__, which would be another thing in JavaScript', async () => {
    const { definition } = await thingOf({ parameters: [{ name: '__proto__', in: 'query', ...text }] });
    const { properties } = definition['input_schema'] as { properties: Record<string, unknown> };
    expect(Object.keys(properties)).to.deep.equal(['proto']);
    expect(sentBy({ definition } as never)['query_params']).to.have.ownProperty('__proto__');
  });
});
