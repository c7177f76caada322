import { expect } from 'chai';
import { xmlExample } from '../../../../plugins/openapi/schemas/xml-example.ts';
import { located, resolverOf } from './support.ts';

const text = { type: 'string' };

const cases = [
  {
    what: 'names, attributes and escaped values',
    schema: {
      type: 'object',
      xml: { name: 'pet' },
      properties: { id: { type: 'integer', xml: { attribute: true } }, name: { ...text, example: 'a<b&"c"' } },
    },
    xml: '<pet id="0"><name>a&lt;b&amp;&quot;c&quot;</name></pet>',
  },
  {
    what: 'a wrapped list',
    schema: {
      type: 'object',
      properties: { tags: { type: 'array', xml: { wrapped: true, name: 'tagList' }, items: { ...text, xml: { name: 'tag' } } } },
    },
    xml: '<root><tagList><tag>string</tag></tagList></root>',
  },
  {
    what: 'a list that is not wrapped',
    schema: { type: 'object', properties: { tag: { type: 'array', items: text } } },
    xml: '<root><tag>string</tag></root>',
  },
  {
    what: 'a namespace with a prefix',
    schema: { type: 'object', xml: { name: 'a', prefix: 'p', namespace: 'http://x/"y' }, properties: { b: text } },
    xml: '<p:a xmlns:p="http://x/&quot;y"><b>string</b></p:a>',
  },
  {
    what: 'parts of allOf',
    schema: { allOf: [{ properties: { a: text } }, { properties: { b: { type: 'boolean' } } }] },
    xml: '<root><a>string</a><b>true</b></root>',
  },
  {
    what: 'the name of a component, once in a circle',
    schema: { $ref: '#/components/schemas/Node' },
    xml: '<Node><value>string</value></Node>',
  },
  {
    what: 'no name that XML does not allow',
    schema: { type: 'object', properties: { 'a><b': text, c: text } },
    xml: '<root><c>string</c></root>',
  },
  {
    what: 'no readOnly member',
    schema: { type: 'object', properties: { id: { ...text, readOnly: true }, c: text } },
    xml: '<root><c>string</c></root>',
  },
];

describe('an XML example', () => {
  const document = {
    components: { schemas: { Node: { type: 'object', properties: { value: text, next: { $ref: '#/components/schemas/Node' } } } } },
  };
  for (const { what, schema, xml } of cases)
    it(`has ${what}`, () => {
      expect(xmlExample(located(schema), resolverOf(document))).to.equal(xml);
    });

  it('is none for a schema with very many members', () => {
    const properties = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`a_long_name_of_a_member_${index}`, text]));
    expect(xmlExample(located({ type: 'object', properties }), resolverOf({}))).to.equal(undefined);
  });
});
