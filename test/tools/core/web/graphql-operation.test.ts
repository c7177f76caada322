import { expect } from 'chai';
import { notOnlyQueries } from '../../../../tools/core/web/graphql-document.ts';
import { json, loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { webToolOfModel } from './web-tool.ts';

const onlyQueries: Readonly<Record<string, string>> = {
  'a selection': '{ a }',
  'a query with a name': 'query Q { a }',
  'a query that is called mutation': 'query mutation { a }',
  'a field that is called mutation': '{ gene { mutation subscription { id } } }',
  'an alias and an argument of that name': '{ mutation: a(mutation: 1) }',
  'a mutation in a comment': '# mutation { a }\n{ a }',
  'a mutation in a comment that ends with a carriage return': '{ a } # mutation { b }\r',
  'a mutation in a text': '{ a(text: "} mutation { b }") }',
  'a text with an escaped quotation mark': '{ a(text: "\\" } mutation { b } \\"") }',
  'a text that ends with a backslash': '{ a(text: "\\\\") }',
  'an empty text': '{ a(text: "", more: "x") }',
  'a mutation in a block text': '{ a(text: """ } " mutation { b } """) }',
  'a block text with escaped marks': '{ a(text: """ \\""" } mutation { b } \\""" """) }',
  'an empty block text': '{ a(text: """""") }',
  'several operations': 'query A { a } query B { b }',
  fragments: 'fragment F on mutation { a } query A { ...F ... on T { b } }',
  'an object as default value': 'query Q($in: In = {a: {b: [1, 2.5e-3, $c]}}) @on(if: {a: true}) { a(in: $in) }',
  'a byte order mark and commas': '\uFEFF, query Q { a, b }',
  'a long document': `{ ${'a '.repeat(50_000)} b(text: """${'"x\n'.repeat(20_000)}""") }`,
};

const more: Readonly<Record<string, readonly [string, string]>> = {
  'a mutation': ['mutation { a }', 'it holds a mutation'],
  'a mutation behind a query': ['query A { a } mutation B { b }', 'it holds a mutation'],
  'a mutation behind a fragment': ['fragment F on T { a } mutation { b }', 'it holds a mutation'],
  'a mutation without a space before it': ['{a}mutation{b}', 'it holds a mutation'],
  'a mutation behind a comment that ends with a carriage return': ['{ a } # x\rmutation { b }', 'it holds a mutation'],
  'a mutation behind a description': ['"about" mutation { b }', 'it holds a mutation'],
  'a mutation behind a text with a hash': ['{ a(text: "#") } mutation { b }', 'it holds a mutation'],
  'a mutation behind a block text that ends with a quotation mark': ['{ a(text: """x\\"""""") } mutation { b }', 'it holds a mutation'],
  'a mutation behind a default value': ['query Q($in: In = {}) { a } mutation { b }', 'it holds a mutation'],
  'a subscription': ['subscription { a }', 'it holds a subscription'],
  'a mutation behind a line separator in a comment': ['{ a } # x\u2028mutation { b }', 'line separators'],
  'a mutation behind a null byte': ['{ a } \0mutation { b }', 'control characters'],
  'a mutation in other letters': ['ｍutation { b }', 'no GraphQL at character 1'],
  'an upper-case mutation': ['MUTATION { b }', 'no query and no fragment begins'],
  'a schema': ['type T { a: Int }', 'no query and no fragment begins'],
  'a text that does not end': ['{ a(text: "x) } mutation { b }', 'no GraphQL at character'],
  'a block text that does not end': ['{ a(text: """x) } mutation { b }', 'no GraphQL at character'],
  'braces that do not fit': ['{ a } } mutation { b }', 'no query and no fragment begins'],
  'brackets that do not fit': ['{ a(b: [1) } ]', 'closes nothing'],
  'a selection that does not end': ['{ a mutation { b }', 'ends too early'],
  'nothing but the word': ['query', 'ends too early'],
};

describe('whether a GraphQL document only queries', () => {
  for (const [what, document] of Object.entries(onlyQueries))
    it(`is so for ${what}`, () => expect(notOnlyQueries(document)).to.equal(undefined));

  for (const [what, [document, why]] of Object.entries(more))
    it(`is not certain for ${what}`, () => expect(notOnlyQueries(document)).to.include(why));
});

describe('web_graphql called by a model', () => {
  it('runs a query without a question', async () => {
    const server = await loopback((_, response) => json(response, { data: { a: 1 } }));
    expect(await (await webToolOfModel('web_graphql'))({ url: server.url, query: '{ a }' })).to.deep.equal({
      data: { a: 1 },
      errors: [],
    });
  });

  for (const operation_name of [undefined, 'A'])
    it(`does not send a mutation as a query, ${operation_name === undefined ? 'alone' : 'beside the query that is named'}`, async () => {
      const server = await loopback((_, response) => json(response, { data: {} }));
      const query = operation_name === undefined ? 'mutation { a }' : 'query A { a } mutation B { b }';
      const call = (await webToolOfModel('web_graphql'))({ url: server.url, query, ...(operation_name && { operation_name }) });
      const error = await rejection(call, 'INVALID_PARAMETERS');
      expect(error.message).to.include('it holds a mutation').and.include('operation: mutation');
      expect(server.requests).to.deep.equal([]);
    });

  it('needs approval for a mutation, and sends it then', async () => {
    const server = await loopback((_, response) => json(response, { data: { a: 1 } }));
    const call = await webToolOfModel('web_graphql');
    const given = { url: server.url, query: 'mutation { a }', operation: 'mutation' };
    await rejection(call(given), 'APPROVAL_REQUIRED');
    expect(server.requests).to.deep.equal([]);
    expect(await call(given, { approved: true })).to.deep.equal({ data: { a: 1 }, errors: [] });
  });

  for (const [what, given] of Object.entries({
    'another document in the address': { search: '?query=mutation%7Ba%7D' },
    'another document in the address, in capitals': { search: '?a=1&QUERY=mutation%7Ba%7D' },
    'a stored document in the address': { search: '?extensions=%7B%7D' },
    'another method in the address': { search: '?_method=DELETE' },
    'another method in a header': { headers: { 'X-HTTP-Method-Override': 'DELETE' } },
  } as Readonly<Record<string, { search?: string; headers?: Readonly<Record<string, string>> }>>))
    it(`does not send a query with ${what}`, async () => {
      const server = await loopback((_, response) => json(response, { data: {} }));
      const { search = '', headers = {} } = given;
      const call = (await webToolOfModel('web_graphql'))({ url: `${server.url}/${search}`, query: '{ a }', headers });
      await rejection(call, 'INVALID_PARAMETERS');
      expect(server.requests).to.deep.equal([]);
    });
});

describe('web_request called by a model', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS'])
    it(`runs ${method} without a question`, async () => {
      const server = await loopback((_, response) => void response.writeHead(204).end());
      expect(await (await webToolOfModel('web_request'))({ method, url: server.url })).to.include({ status: 204 });
    });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    it(`needs approval for ${method}, and sends it then`, async () => {
      const server = await loopback((_, response) => void response.writeHead(204).end());
      const call = await webToolOfModel('web_request');
      await rejection(call({ method, url: server.url }), 'APPROVAL_REQUIRED');
      expect(server.requests).to.deep.equal([]);
      expect(await call({ method, url: server.url }, { approved: true })).to.include({ status: 204 });
    });
});
