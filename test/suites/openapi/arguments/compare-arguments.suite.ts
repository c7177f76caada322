import { expect } from 'chai';
import type { DecodedRequest } from '../decoder/decode-request.ts';
import { DescribedDocument } from '../decoder/described-operation.ts';
import { ambiguousNames, lostMembers, namesOfSeveral, openObjects } from '../rounds/unclear-names.ts';
import { argumentsOfTemplate } from './arguments-of-template.ts';
import { isSameText } from './compare-arguments.ts';

const compared: readonly (readonly [what: string, given: unknown, received: unknown, isSame: boolean])[] = [
  ['a list of deepObject without its first item, which has no leaves', [{ a: [{}] }, { b: 1 }], { '1': { b: '1' } }, true],
  ['a list of deepObject without its last item, which has no leaves', [{ b: 1 }, { a: [] }], [{ b: '1' }], true],
  ['a list of deepObject without an item that has leaves', [{ a: 2 }, { b: 1 }], { '1': { b: '1' } }, false],
  ['a list of deepObject with another number', [{}, { b: 1 }], [{ b: '1' }], false],
  ['a list of deepObject with one item more', [{ b: 1 }], [{ b: '1' }, { b: '2' }], false],
  ['a list of texts without an item', [{}, 'x'], ['x'], false],
  ['a list of one and a text', ['x'], 'x', false],
  ['a text and a list of one', 'x', ['x'], false],
];

const text = { type: 'string' };
const open = (name: string): object => ({ name, in: 'query', schema: { type: 'object', additionalProperties: text } });

function described(...parameters: readonly object[]): DescribedDocument {
  return new DescribedDocument({ openapi: '3.1.0', paths: { '/x': { get: { parameters } } } });
}

/** Returns what is lost of two open objects that the service receives as this query. */
function lostIn(query: string, given: Readonly<Record<string, unknown>>): readonly string[] {
  const document = described(open('one'), open('two'), { name: 'limit', in: 'query', schema: text });
  const parameters = new Map(Object.entries(given).map(([name, value]) => [`query ${name}`, value]));
  const pairs = query.split('&').map((pair) => pair.split('=') as [string, string]);
  const claimed = Object.fromEntries(pairs.filter(([name]) => name !== 'limit'));
  const decoded: DecodedRequest = {
    parameters: new Map(['one', 'two'].map((name) => [`query ${name}`, claimed])),
    mediaType: undefined,
    body: undefined,
    unexplained: [],
  };
  const request = { method: 'GET', url: `/x?${query}`, rawHeaders: [], body: Buffer.alloc(0) };
  return lostMembers(
    openObjects(document.operation('get', '/x'), document),
    { parameters, mediaType: undefined, body: undefined },
    decoded,
    request,
  );
}

describe('the comparison of arguments with what a service receives', () => {
  for (const [what, given, received, isSame] of compared)
    it(`${isSame ? 'takes' : 'refuses'} ${what}`, () => expect(isSameText(given, received)).to.equal(isSame));

  it('compares objects of any members together where there are two of them', () => {
    const given = { one: { a: '1' }, two: { a: '2', b: '3' } };
    expect(lostIn('limit=5&a=1&a=2&b=3', given)).to.deep.equal([]);
    expect(lostIn('limit=5&a=2&b=3', given)).to.have.lengthOf(1);
    expect(lostIn('limit=5&a=2&a=1&b=3', given)).to.have.lengthOf(1);
    expect(lostIn('limit=5&a=1&a=2&b=3&c=4', given)).to.have.lengthOf(1);
  });

  it('does so for no other parameters', () => {
    const one = described(open('one'), { name: 'limit', in: 'query', schema: text });
    expect(openObjects(one.operation('get', '/x'), one)).to.deep.equal([]);
    const joined = described(open('one'), { ...open('two'), explode: false });
    expect(openObjects(joined.operation('get', '/x'), joined)).to.deep.equal([]);
    const two = described(open('one'), open('two'));
    const operation = two.operation('get', '/x');
    const parameters = new Map([
      ['query one', { a: 1, b: 2 }],
      ['query two', { b: 3 }],
    ]);
    expect([...ambiguousNames(operation, two)]).to.deep.equal([]);
    expect([...namesOfSeveral(openObjects(operation, two), { parameters, mediaType: undefined, body: undefined })]).to.deep.equal(['b']);
  });

  it('has the members of a union that is sent exploded, and names as the document writes them', () => {
    const multipart = { body: { value: '{body}', style: 'form', explode: true } };
    expect(argumentsOfTemplate({ url: '/x', multipart }, { body: { a: 1 } }, '/x').body).to.deep.equal({ a: 1 });
    const named = { form: { '{{a}}': '{a}' }, query_params: { '{{q}}': '{q}' }, url: '/x' };
    expect(argumentsOfTemplate(named, { a: 1, q: 2 }, '/x')).to.deep.equal({
      parameters: new Map([['query {q}', 2]]),
      mediaType: 'application/x-www-form-urlencoded',
      body: { '{a}': 1 },
    });
  });
});
