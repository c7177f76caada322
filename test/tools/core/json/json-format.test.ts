import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from './random-json.ts';

interface Formatted {
  readonly text: string;
  readonly comments_removed: number;
}

describe('json_format', () => {
  const shared = sharedToolkit();

  const format = (text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Formatted> =>
    shared.toolkit.execute('json_format', { text, ...more }) as unknown as Promise<Formatted>;

  const cases: readonly { readonly text: string; readonly more?: object; readonly result: string; readonly comments?: number }[] = [
    { text: '{"a":[1,{}],"b":[]}', result: '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}' },
    { text: ' [ 1 ,\r\n 2 ] ', more: { indent: 4 }, result: '[\n    1,\n    2\n]' },
    { text: '{"a":[1]}', more: { indent: 0 }, result: '{\n"a": [\n1\n]\n}' },
    { text: '{ "a" : [ 1 , 2 ] , "b" : { } }', more: { minify: true, indent: 8 }, result: '{"a":[1,2],"b":{}}' },
    { text: '{"b":1,"a":{"d":1,"c":2}}', more: { sort_keys: true, minify: true }, result: '{"a":{"c":2,"d":1},"b":1}' },
    { text: '{"ä":1,"z":2,"\\u0061":3,"Z":4}', more: { sort_keys: true, minify: true }, result: '{"Z":4,"\\u0061":3,"z":2,"ä":1}' },
    { text: '{"a":1,"a":2}', more: { minify: true }, result: '{"a":1,"a":2}' },
    {
      text: '{"__proto__":1,"constructor":{"prototype":2}}',
      more: { minify: true },
      result: '{"__proto__":1,"constructor":{"prototype":2}}',
    },
    {
      text: '[12345678901234567890, 1.50, -0, 1E400, 0.1e-7]',
      more: { minify: true },
      result: '[12345678901234567890,1.50,-0,1E400,0.1e-7]',
    },
    { text: '"\\u00e9 \\/ 世界 👋"', result: '"\\u00e9 \\/ 世界 👋"' },
    { text: '\uFEFFnull', result: 'null' },
    { text: '// one\n{"a": /* two */ 1, // three\n}', more: { minify: true }, result: '{"a":1}', comments: 3 },
    { text: '[1,\n2,\n]', more: { minify: true }, result: '[1,2]' },
    { text: '"// no comment, [1,]"', result: '"// no comment, [1,]"' },
    { text: '[1]', more: { allow_comments: false, minify: true }, result: '[1]' },
  ];
  for (const { text, more = {}, result, comments = 0 } of cases) {
    it(`formats ${JSON.stringify(text)} with ${JSON.stringify(more)}`, async () => {
      expect(await format(text, { ...more })).to.deep.equal({ text: result, comments_removed: comments });
    });
  }

  for (const sort of [false, true]) {
    it(`writes what Python writes, ${sort ? 'with sorted names' : 'in the given order'}`, async () => {
      const random = randomNumbers(11);
      const values = Array.from({ length: 40 }, () => randomJson(random, 5));
      // Numbers are written in another way there.
      const texts = values.map((value) => JSON.stringify(value).replace(/\d+(\.\d+)?e[+-]?\d+/g, '1'));
      const written = `json.dumps(json.loads(text), indent=3, ensure_ascii=False, sort_keys=${sort ? 'True' : 'False'})`;
      const expected = pythonValue<string[]>(`[${written} for text in given]`, texts);
      for (const [index, text] of texts.entries()) {
        expect((await format(text, { indent: 3, sort_keys: sort })).text).to.equal(expected[index]);
      }
    });
  }

  const mistakes: readonly {
    readonly text: string;
    readonly more?: object;
    readonly line: number;
    readonly column: number;
    readonly says: string;
  }[] = [
    { text: '', line: 1, column: 1, says: 'expected a value' },
    { text: '{"a":1,\n  "b" 2}', line: 2, column: 7, says: 'expected ":" after the name' },
    { text: '[1\r\n2]', line: 2, column: 1, says: 'expected "," between two values' },
    { text: '{"ä👋": tru}', line: 1, column: 9, says: 'does not have' },
    { text: "{'a': 1}", line: 1, column: 2, says: 'stand in double quotes' },
    { text: '[1,,2]', line: 1, column: 4, says: 'expected a value' },
    { text: '{"a":1', line: 1, column: 7, says: 'expected "}"' },
    { text: '[1', line: 1, column: 3, says: 'expected "]"' },
    { text: '"a\nb"', line: 1, column: 1, says: 'no closing quotes' },
    { text: '["\\x"]', line: 1, column: 2, says: 'after a backslash' },
    { text: '["\\u12"]', line: 1, column: 2, says: 'hexadecimal' },
    { text: '["\t"]', line: 1, column: 2, says: 'control character' },
    { text: '[1] 2', line: 1, column: 5, says: 'nothing more' },
    { text: '[1.]', line: 1, column: 2, says: 'a number has no end' },
    { text: '/* a', line: 1, column: 1, says: 'a comment has no end' },
    { text: '[1]\n// a', more: { allow_comments: false }, line: 2, column: 1, says: 'comments are not allowed' },
    { text: '[1,]', more: { allow_comments: false }, line: 1, column: 4, says: 'expected a value' },
  ];
  for (const { text, more = {}, line, column, says } of mistakes) {
    it(`tells where ${JSON.stringify(text)} is wrong with ${JSON.stringify(more)}`, async () => {
      const error = await rejection(format(text, { ...more }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`The JSON is wrong at line ${line}, column ${column}: `).and.to.include(says);
      expect(error.details).to.include({ line, column });
    });
  }

  for (const levels of [600, 500_000]) {
    it(`refuses a text of ${levels} levels`, async () => {
      const error = await rejection(format('['.repeat(levels) + ']'.repeat(levels)), 'INVALID_PARAMETERS');
      expect(error.message).to.include('nested too deeply');
    });
  }

  it('refuses a text that indenting makes endlessly long, and minifies it', async () => {
    const text = `${'['.repeat(400)}${'1,'.repeat(100_000)}1${']'.repeat(400)}`;
    await rejection(format(text), 'OUTPUT_TOO_LARGE');
    expect((await format(text, { minify: true })).text).to.equal(text);
  });

  it('takes 4 194 304 characters and no more', async () => {
    const text = `"${'x'.repeat(4_194_302)}"`;
    expect((await format(text)).text).to.equal(text);
    await rejection(format(`${text} `), 'INVALID_PARAMETERS');
  });

  for (const parameters of [{}, { text: { a: 1 } }, { text: '1', indent: 11 }, { text: '1', indent: -1 }]) {
    it(`refuses the parameters ${JSON.stringify(parameters)}`, async () => {
      await rejection(shared.toolkit.execute('json_format', parameters), 'INVALID_PARAMETERS');
    });
  }
});
