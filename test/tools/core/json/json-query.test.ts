import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';

type Language = 'jsonpath' | 'jmespath' | 'pointer';

describe('json_query', () => {
  // One for all tests, because it keeps its worker thread.
  let toolkit: Toolkit;
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger() });
  });
  after(() => toolkit.close());

  function query(data: unknown, text: string, language?: Language): Promise<JsonValue> {
    return toolkit.execute('json_query', { data, query: text, ...(language === undefined ? {} : { language }) });
  }

  describe('with JSONPath', () => {
    /** The example of RFC 9535, 1.5. */
    const store = {
      store: {
        book: [
          { category: 'reference', author: 'Nigel Rees', title: 'Sayings of the Century', price: 8.95 },
          { category: 'fiction', author: 'Evelyn Waugh', title: 'Sword of Honour', price: 12.99 },
          { category: 'fiction', author: 'Herman Melville', title: 'Moby Dick', isbn: '0-553-21311-3', price: 8.99 },
          { category: 'fiction', author: 'J. R. R. Tolkien', title: 'The Lord of the Rings', isbn: '0-395-19395-8', price: 22.99 },
        ],
        bicycle: { color: 'red', price: 399 },
      },
    };
    const { book: books, bicycle } = store.store;
    const authors = ['Nigel Rees', 'Evelyn Waugh', 'Herman Melville', 'J. R. R. Tolkien'];
    const examples: readonly { path: string; result: readonly unknown[] }[] = [
      { path: '$.store.book[*].author', result: authors },
      { path: '$..author', result: authors },
      { path: '$.store.*', result: [books, bicycle] },
      { path: '$.store..price', result: [399, 8.95, 12.99, 8.99, 22.99] },
      { path: '$..book[2]', result: [books[2]] },
      { path: '$..book[2].author', result: ['Herman Melville'] },
      { path: '$..book[2].publisher', result: [] },
      { path: '$..book[-1]', result: [books[3]] },
      { path: '$..book[0,1]', result: [books[0], books[1]] },
      { path: '$..book[:2]', result: [books[0], books[1]] },
      { path: '$..book[?@.isbn]', result: [books[2], books[3]] },
      { path: '$..book[?@.price<10]', result: [books[0], books[2]] },
    ];
    for (const { path, result } of examples) {
      it(`finds what RFC 9535 lists for ${path}`, async () => {
        const output = (await query(store, path)) as { result: unknown[]; matches: number };
        // The RFC leaves the order of the members of an object open.
        expect(output.result).to.have.deep.members([...result]);
        expect(output.matches).to.equal(result.length);
      });
    }

    const cases: readonly { what: string; data: unknown; path: string; result: readonly unknown[] }[] = [
      { what: 'every value, in document order', data: [1, [2]], path: '$[*]', result: [1, [2]] },
      { what: 'the whole value', data: null, path: '$', result: [null] },
      { what: 'nothing in an empty object', data: {}, path: '$.*', result: [] },
      { what: 'nothing below a string', data: 'text', path: '$[0]', result: [] },
      { what: 'a null that is there', data: { a: null }, path: '$.a', result: [null] },
      { what: 'names outside of ASCII', data: { 世界: { 'ключ 🔑': 'да' } }, path: "$.世界['ключ 🔑']", result: ['да'] },
      { what: 'a slice with a step, backwards', data: [0, 1, 2, 3, 4, 5, 6], path: '$[5:1:-2]', result: [5, 3] },
      { what: 'the same item twice', data: ['a'], path: '$[0, 0]', result: ['a', 'a'] },
      { what: 'strings of a length', data: ['é', 'éé', '👍'], path: '$[?length(@) == 1]', result: ['é', '👍'] },
      { what: 'whole matches', data: ['ab', 'abc'], path: "$[?match(@, 'a.')]", result: ['ab'] },
      { what: 'parts of strings', data: ['ab', 'xabx', 'b'], path: "$[?search(@, 'ab')]", result: ['ab', 'xabx'] },
      { what: 'no numbers and nulls by a pattern (RFC 9535, 2.4.6)', data: [5, null, '5'], path: "$[?match(@, '5|null')]", result: ['5'] },
      { what: 'nothing by a pattern that is no I-Regexp', data: ['('], path: "$[?match(@, '(')]", result: [] },
      {
        what: 'an integer beyond 2^53, which is a text',
        data: [{ id: '9007199254740993' }, { id: '9007199254740992' }],
        path: '$[?@.id == "9007199254740993"]',
        result: [{ id: '9007199254740993' }],
      },
      { what: 'names with many digits', data: { a9007199254740993: 1 }, path: '$.a9007199254740993', result: [1] },
      { what: 'own properties only', data: { a: [1] }, path: '$.constructor', result: [] },
      { what: 'a property that is called __proto__', data: JSON.parse('{"__proto__": 1}'), path: "$['__proto__']", result: [1] },
    ];
    for (const { what, data, path, result } of cases) {
      it(`finds ${what}`, async () => {
        expect(await query(data, path)).to.deep.equal({ result, matches: result.length });
      });
    }

    it('finds a value 60 levels deep', async () => {
      const deep = Array.from({ length: 60 }).reduce<unknown>((inner) => ({ n: inner }), { found: true });
      expect(await query(deep, '$..found')).to.deep.equal({ result: [true], matches: 1 });
    });

    const mistakes = [
      { path: '', position: 1, says: 'expected "$"' },
      { path: 'store.book', position: 1, says: "expected '$', found 's'" },
      { path: '$.a[', position: 5, says: 'unclosed bracketed selection' },
      { path: '$.a b', position: 5, says: "expected '.', '..' or a bracketed selection, found 'b'" },
      { path: '$ ', position: 3, says: 'trailing whitespace' },
      { path: '$[?foo(@)]', position: 4, says: "no such function 'foo'" },
      { path: '$[01]', position: 3, says: 'leading zero' },
      { path: '$[?@.a ==]', position: 10, says: 'unexpected end of expression' },
      { path: '$.名前[?', position: 7, says: 'unclosed bracketed selection' },
      { path: '$[9007199254740993]', position: 3, says: 'index out of range' },
      { path: '$[?@.id == 9007199254740993]', position: 12, says: '9007199254740993 is an integer beyond 2^53' },
      { path: "$[?@['9'] == -9007199254740993]", position: 14, says: 'write it in quotes' },
    ];
    for (const { path, position, says } of mistakes) {
      it(`tells where "${path}" is wrong`, async () => {
        const error = await rejection(query({}, path), 'INVALID_PARAMETERS');
        expect(error.details).to.include({ position });
        expect(error.details.issues).to.have.length(1).and.to.have.nested.property('[0].path', 'query');
        expect(error.message).to.include(`The jsonpath query is wrong at character ${position}: `).and.to.include(says);
      });
    }

    it('refuses data that is nested too deeply for ..', async () => {
      const deep = Array.from({ length: 1500 }).reduce<unknown>((inner) => [inner], 1);
      const error = await rejection(query(deep, '$..*'), 'INVALID_PARAMETERS');
      expect(error.message).to.include('nested');
    });

    it('refuses a result that is larger than its limit', async () => {
      const data = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => 'x'.repeat(100)));
      const error = await rejection(query(data, `$[${'*,'.repeat(30)}*]`), 'OUTPUT_TOO_LARGE');
      expect(error.details).to.include({ maxCharacters: 4_194_304 });
    });
  });

  describe('with JMESPath', () => {
    const data = {
      people: [
        { name: 'Zoë', age: 30, tags: ['a', 'b'] },
        { name: 'Bob', age: 41, tags: [] },
        { name: '李雷', age: 25, tags: ['c'] },
      ],
    };
    const cases: readonly { text: string; data?: unknown; result: unknown; matches: number }[] = [
      { text: 'people[?age > `26`].name', result: ['Zoë', 'Bob'], matches: 2 },
      { text: 'sum(people[].age)', result: 96, matches: 1 },
      { text: 'sort_by(people, &age)[0].name', result: '李雷', matches: 1 },
      { text: 'people[].tags[]', result: ['a', 'b', 'c'], matches: 3 },
      { text: 'people[?age > `99`]', result: [], matches: 0 },
      { text: 'people[0].{who: name, n: length(tags)}', result: { who: 'Zoë', n: 2 }, matches: 1 },
      { text: 'missing.thing', result: null, matches: 0 },
      { text: '@', data: 'text', result: 'text', matches: 1 },
      { text: 'a', data: { a: false }, result: false, matches: 1 },
      { text: 'constructor', result: null, matches: 0 },
      { text: 'people[0].toString', result: null, matches: 0 },
      { text: '"__proto__"', data: JSON.parse('{"__proto__": {"a": 1}}'), result: JSON.parse('{"a": 1}'), matches: 1 },
    ];
    for (const { text, data: own, result, matches } of cases) {
      it(`answers ${text}`, async () => {
        expect(await query(own ?? data, text, 'jmespath')).to.deep.equal({ result, matches });
      });
    }

    const mistakes = [
      { text: '', position: 1 },
      { text: 'a[', position: 3 },
      { text: 'a b', position: 3 },
      { text: 'a.b c.d', position: 5 },
      { text: 'a[?b ==]', position: 8 },
      { text: 'a || ', position: 6 },
      { text: "'#' #", position: 5 },
      { text: 'a."b', position: 3 },
      { text: '{a: b, c}', position: 9 },
      { text: 'people | nosuch(@)', position: 10 },
    ];
    for (const { text, position } of mistakes) {
      it(`tells where "${text}" is wrong`, async () => {
        const error = await rejection(query(data, text, 'jmespath'), 'INVALID_PARAMETERS');
        expect(error.details, error.message).to.include({ position });
        expect(error.message).to.include(`The jmespath query is wrong at character ${position}: `);
      });
    }

    const misfits = [
      { text: 'abs(people)', says: 'abs() expected argument 1 to be type (number)' },
      { text: 'people[::0]', says: 'slice step cannot be 0' },
      { text: '$nothing', says: 'undefined variable nothing' },
      { text: "pad_left('a', `1000000000`)", says: 'too large' },
    ];
    for (const { text, says } of misfits) {
      it(`refuses ${text}, which does not fit the data`, async () => {
        const error = await rejection(query(data, text, 'jmespath'), 'INVALID_PARAMETERS');
        expect(error.message).to.include(says);
      });
    }

    it('refuses a result that repeats itself without end', async () => {
      await rejection(query(data, `${'[@, @] | '.repeat(60)}@`, 'jmespath'), 'OUTPUT_TOO_LARGE');
    });
  });

  describe('with a JSON pointer', () => {
    /** The example of RFC 6901, 5. */
    const document = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 };
    const examples: readonly { pointer: string; result: unknown }[] = [
      { pointer: '', result: document },
      { pointer: '/foo', result: ['bar', 'baz'] },
      { pointer: '/foo/0', result: 'bar' },
      { pointer: '/', result: 0 },
      { pointer: '/a~1b', result: 1 },
      { pointer: '/c%d', result: 2 },
      { pointer: '/e^f', result: 3 },
      { pointer: '/g|h', result: 4 },
      { pointer: '/i\\j', result: 5 },
      { pointer: '/k"l', result: 6 },
      { pointer: '/ ', result: 7 },
      { pointer: '/m~0n', result: 8 },
    ];
    for (const { pointer, result } of examples) {
      it(`finds what RFC 6901 lists for "${pointer}"`, async () => {
        expect(await query(document, pointer, 'pointer')).to.deep.equal({ result, matches: 1 });
      });
    }

    it('reads ~01 as a tilde and a one', async () => {
      expect(await query({ '~1': 'here', '/': 'there' }, '/~01', 'pointer')).to.deep.equal({ result: 'here', matches: 1 });
    });

    it('tells a null that is there from a place that does not exist', async () => {
      expect(await query({ a: null }, '/a', 'pointer')).to.deep.equal({ result: null, matches: 1 });
      expect(await query({ a: null }, '/b', 'pointer')).to.deep.equal({ result: null, matches: 0 });
    });

    for (const pointer of [
      '/foo/2',
      '/foo/-',
      '/foo/01',
      '/foo/-1',
      '/foo/1e0',
      '/foo/length',
      '/foo/0/0',
      '/foo/',
      '/#foo',
      '/constructor',
    ]) {
      it(`finds nothing at "${pointer}"`, async () => {
        expect(await query(document, pointer, 'pointer')).to.deep.equal({ result: null, matches: 0 });
      });
    }

    const mistakes = [
      { pointer: 'foo', position: 1, says: 'expected "/", received "f"' },
      { pointer: '#/foo', position: 1, says: 'expected "/", received "#"' },
      { pointer: '/a/~2', position: 4, says: 'expected "~0" or "~1"' },
      { pointer: '/m~', position: 3, says: 'expected "~0" or "~1"' },
    ];
    for (const { pointer, position, says } of mistakes) {
      it(`tells where "${pointer}" is wrong`, async () => {
        const error = await rejection(query(document, pointer, 'pointer'), 'INVALID_PARAMETERS');
        expect(error.details).to.include({ position });
        expect(error.message).to.include(says);
      });
    }
  });

  it('stops a query that runs without end, and answers another one meanwhile', async () => {
    const text = "$[?match(@, '(a|a)*b')]";
    await stopsAlone(['json'], 'json_query', {
      harmless: { data: ['ab'], query: text },
      endless: { data: ['a'.repeat(60)], query: text },
      meanwhile: async () => expect(await query(['ab'], text)).to.deep.equal({ result: ['ab'], matches: 1 }),
    });
  });

  const mistakes = [
    { parameters: { query: '$' }, says: 'data is required' },
    { parameters: { data: 1 }, says: 'query is required' },
    { parameters: { data: 1, query: '$', language: 'jq' }, says: 'language expected one of' },
    { parameters: { data: 1, query: 'x'.repeat(10_001) }, says: 'query expected' },
  ];
  for (const { parameters, says } of mistakes) {
    it(`refuses parameters of which ${says}`, async () => {
      const error = await rejection(toolkit.execute('json_query', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('gives the outputs that its examples promise', async () => {
    for (const { parameters, output } of toolkit.kernel.registry.get('json_query').definition.examples ?? [])
      expect(await toolkit.execute('json_query', parameters)).to.deep.equal(output);
  });
});
