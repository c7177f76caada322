import { expect } from 'chai';
import { sentBy, toolOf } from './generated-from.ts';

const properties = { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, owner: { type: 'object' } };
const schema = { type: 'object', required: ['name'], properties };

async function bodyOf(content: Readonly<Record<string, unknown>>, more: Readonly<Record<string, unknown>> = {}) {
  return toolOf({ requestBody: { required: true, content, ...more } });
}

function propertiesOf({
  definition,
}: {
  readonly definition: object;
}): Readonly<Record<string, { readonly type?: unknown; readonly description?: string }>> {
  return (definition as { input_schema: { properties: Record<string, never> } }).input_schema.properties;
}

describe('the body of a generated tool', () => {
  const cases = [
    {
      what: 'has its members beside other parameters, as JSON',
      content: { 'application/json': { schema } },
      sent: {
        headers: { 'Content-Type': 'application/json' },
        body: { name: '{name}', tags: '{tags}', owner: '{owner}' },
      },
    },
    {
      what: 'is a form, in which an object is JSON',
      content: { 'application/x-www-form-urlencoded': { schema } },
      sent: {
        form: {
          name: { value: '{name}', style: 'form', explode: true },
          tags: { value: '{tags}', style: 'form', explode: true },
          owner: '{owner}',
        },
      },
    },
    {
      what: 'is a form in the styles of its encoding',
      content: {
        'application/x-www-form-urlencoded': {
          schema,
          encoding: { owner: { style: 'deepObject', explode: true }, tags: { explode: false } },
        },
      },
      sent: {
        form: {
          name: { value: '{name}', style: 'form', explode: true },
          tags: { value: '{tags}', style: 'form', explode: false },
          owner: { value: '{owner}', style: 'deepObject', explode: true },
        },
      },
    },
    {
      what: 'is empty where a form has no members',
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: {}, additionalProperties: false } } },
      sent: { form: {} },
    },
    {
      what: 'is a form of any members',
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', additionalProperties: { type: 'string' } } } },
      sent: { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: '{body}' },
    },
    {
      what: 'is one parameter where it is a list',
      content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
      sent: { headers: { 'Content-Type': 'application/json' }, body: '{body}' },
    },
    {
      what: 'is written as JSON where it is a text',
      content: { 'application/json': { schema: { type: 'string' } } },
      sent: {
        headers: { 'Content-Type': 'application/json' },
        body: '{body_as_json}',
        parameter_encoding: [{ source: ['body'], target: 'body_as_json', encoding: 'json_compact' }],
      },
    },
    {
      what: 'is a text',
      content: { 'text/csv': { schema: { type: 'string' } } },
      sent: { headers: { 'Content-Type': 'text/csv' }, body: '{body}' },
    },
    {
      what: 'is XML in one text',
      content: { 'application/xml': { schema } },
      sent: { headers: { 'Content-Type': 'application/xml' }, body: '{body_xml}' },
    },
    {
      what: 'is a file',
      content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
      sent: { headers: { 'Content-Type': 'image/png' }, body_file: '{file}' },
    },
    {
      what: 'is multipart with files and typed parts',
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: {
              document: { type: 'string', format: 'binary' },
              pages: { type: 'array', items: { type: 'string', format: 'binary' } },
              meta: { type: 'object' },
              note: { type: 'string' },
              either: { anyOf: [{ type: 'string' }, { type: 'object' }] },
              photo: {},
            },
          },
          encoding: { photo: { contentType: 'image/png' }, note: { contentType: 'text/html' } },
        },
      },
      sent: {
        multipart: {
          document: { file: '{document}' },
          pages: { file: '{pages}' },
          meta: { value: '{meta}', content_type: 'application/json' },
          note: { value: '{note}', content_type: 'text/html' },
          either: '{either}',
          photo: { file: '{photo}', type: 'image/png' },
        },
      },
    },
    {
      what: 'is one of several types, which a parameter chooses',
      content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } },
      sent: {
        body_types: {
          parameter: 'content_type',
          types: {
            'application/json': { body: { name: '{name}', tags: '{tags}', owner: '{owner}' } },
            'application/x-www-form-urlencoded': {
              form: {
                name: { value: '{name}', style: 'form', explode: true },
                tags: { value: '{tags}', style: 'form', explode: true },
                owner: '{owner}',
              },
            },
          },
        },
      },
    },
    {
      what: 'is the plain JSON type of several',
      content: { 'application/vnd.shop+json': { schema }, 'application/json': { schema }, 'application/xml': { schema } },
      sent: { headers: { 'Content-Type': 'application/json' }, body: { name: '{name}', tags: '{tags}', owner: '{owner}' } },
    },
  ];
  for (const { what, content, sent } of cases)
    it(what, async () => {
      expect(sentBy(await bodyOf(content))).to.deep.equal(sent);
    });

  it('requires what it requires, and nothing where it is optional itself', async () => {
    const content = { 'application/json': { schema } };
    const required = await bodyOf(content);
    expect(required.definition['input_schema']).to.deep.include({ required: ['name'] });
    const optional = await bodyOf(content, { required: false });
    expect(optional.definition['input_schema']).to.not.have.property('required');
    expect(sentBy(optional)).to.include({ body_optional: true });
    expect(optional.definition['input_schema']).to.deep.include({ dependentRequired: { tags: ['name'], owner: ['name'] } });
    expect(propertiesOf(optional)['name']?.description).to.equal('Needed with a body.');
  });

  it('is one object where the name of a member is taken', async () => {
    const tool = await toolOf(
      {
        parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: { 'application/json': { schema } } },
      },
      { at: 'put /things/{name}' },
    );
    expect(sentBy(tool)).to.deep.equal({ headers: { 'Content-Type': 'application/json' }, body: '{body}' });
    expect(Object.keys(propertiesOf(tool))).to.deep.equal(['name', 'body']);
  });

  it('takes files as paths to read', async () => {
    const { definition } = await bodyOf({ 'application/octet-stream': {} });
    expect(definition['parameters']).to.deep.equal({ file: { path: 'read' } });
  });
});
