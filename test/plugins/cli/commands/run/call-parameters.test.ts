import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import type { Tool } from '../../../../../kernel/index.ts';
import { callParameters } from '../../../../../plugins/cli/commands/run/call-parameters.ts';
import { noTerminal } from '../../../../support/invocation.ts';
import { rejection } from '../../../../support/rejection.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const tool = {
  name: 'shop_order',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      per_page: { type: 'integer' },
      perRow: { type: 'integer' },
      a_b: { type: 'string' },
      aB: { type: 'string' },
      rate: { type: 'number' },
      loud: { type: 'boolean' },
      'no-tax': { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      counts: { type: 'array', items: { type: 'integer' } },
      lists: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
      filter: { type: 'object' },
      anything: {},
      level: { enum: [1, 'high'] },
      issue: { type: ['integer', 'string'] },
      title: { type: ['string', 'null'] },
      size: { $ref: '#/$defs/size' },
      either: { oneOf: [{ type: 'boolean' }, { type: 'object' }] },
      output: { type: 'string' },
    },
    $defs: { size: { type: 'integer', minimum: 1 } },
  },
} as unknown as Tool;

function given(words: readonly string[], flags: Readonly<Record<string, unknown>> = {}, stdin = '') {
  const input = new PassThrough();
  input.end(stdin);
  return callParameters(tool, { arguments: [tool.name, ...words], flags, terminal: { ...noTerminal, input } });
}

describe('the words of toolkit run', () => {
  const right: readonly { readonly words: readonly string[]; readonly param?: readonly string[]; readonly gives: unknown }[] = [
    { words: [], gives: {} },
    { words: ['--text', 'hello world'], gives: { text: 'hello world' } },
    { words: ['--text=a=b'], gives: { text: 'a=b' } },
    { words: ['--text='], gives: { text: '' } },
    { words: ['--text', ''], gives: { text: '' } },
    { words: ['--text', '007'], gives: { text: '007' } },
    { words: ['--text', 'true'], gives: { text: 'true' } },
    { words: ['--text', '-x'], gives: { text: '-x' } },
    { words: ['--text=--x'], gives: { text: '--x' } },
    { words: ['--per_page', '5'], gives: { per_page: 5 } },
    { words: ['--per-page=5'], gives: { per_page: 5 } },
    { words: ['--per-row', '5'], gives: { perRow: 5 } },
    { words: ['--a-b', 'x'], gives: { 'a-b': 'x' } },
    { words: ['--rate', '-1.5e3'], gives: { rate: -1500 } },
    { words: ['--rate', '12345678901234567890'], gives: { rate: '12345678901234567890' } },
    { words: ['--per_page', '-9007199254740993'], gives: { per_page: '-9007199254740993' } },
    { words: ['--size', '9007199254740993'], gives: { size: '9007199254740993' } },
    { words: ['--counts', '[9007199254740993, 1]'], gives: { counts: ['9007199254740993', 1] } },
    { words: ['--counts', '1', '--counts', '9007199254740993'], gives: { counts: [1, '9007199254740993'] } },
    { words: ['--filter', '{"id": 9007199254740993}'], gives: { filter: { id: '9007199254740993' } } },
    { words: ['--anything', '9007199254740993'], gives: { anything: '9007199254740993' } },
    { words: ['--loud'], gives: { loud: true } },
    { words: ['--loud', '--text', 'x'], gives: { loud: true, text: 'x' } },
    { words: ['--loud', 'false'], gives: { loud: false } },
    { words: ['--loud=true'], gives: { loud: true } },
    { words: ['--no-loud'], gives: { loud: false } },
    { words: ['--no-tax'], gives: { 'no-tax': true } },
    { words: ['--no-no-tax'], gives: { 'no-tax': false } },
    { words: ['--tags', 'a'], gives: { tags: ['a'] } },
    { words: ['--tags', 'a', '--tags', '[draft] b'], gives: { tags: ['a', '[draft] b'] } },
    { words: ['--tags', '[draft] b'], gives: { tags: ['[draft] b'] } },
    { words: ['--tags', '["a", "b"]'], gives: { tags: ['a', 'b'] } },
    { words: ['--tags', '[]'], gives: { tags: [] } },
    { words: ['--counts', '1', '--counts', '2'], gives: { counts: [1, 2] } },
    { words: ['--counts', '[1, 2]'], gives: { counts: [1, 2] } },
    { words: ['--lists', '[1]', '--lists', '[2, 3]'], gives: { lists: [[1], [2, 3]] } },
    { words: ['--filter', '{"a": [1]}'], gives: { filter: { a: [1] } } },
    { words: ['--anything', '5'], gives: { anything: 5 } },
    { words: ['--anything', '"5"'], gives: { anything: '5' } },
    { words: ['--anything', 'five'], gives: { anything: 'five' } },
    { words: ['--anything'], gives: { anything: true } },
    { words: ['--level', '1'], gives: { level: 1 } },
    { words: ['--level', 'high'], gives: { level: 'high' } },
    { words: ['--issue', '12'], gives: { issue: 12 } },
    { words: ['--issue', 'ABC-12'], gives: { issue: 'ABC-12' } },
    { words: ['--issue', '12345678901234567890'], gives: { issue: '12345678901234567890' } },
    { words: ['--title', 'null'], gives: { title: 'null' } },
    { words: ['--size', '3'], gives: { size: 3 } },
    { words: ['--either', '{}'], gives: { either: {} } },
    { words: ['--either'], gives: { either: true } },
    { words: ['--', '--output', 'x'], gives: { output: 'x' } },
    { words: [], param: ['output=x=y', 'counts=1', 'counts=2'], gives: { output: 'x=y', counts: [1, 2] } },
    { words: ['--unknown', 'x', '--alone'], gives: { unknown: 'x', alone: true } },
    { words: ['--__proto__', 'x'], gives: JSON.parse('{"__proto__": "x"}') },
  ];
  for (const { words, param, gives } of right) {
    it(`give ${JSON.stringify(gives)} for ${[...words, ...(param ?? []).map((pair) => `--param ${pair}`)].join(' ') || 'nothing'}`, async () => {
      expect(await given(words, param === undefined ? {} : { param })).to.deep.equal(gives);
    });
  }

  const wrong: readonly { readonly words: readonly string[]; readonly param?: readonly string[]; readonly says: string }[] = [
    { words: ['hello'], says: 'Word 1 behind the name of the tool is neither a flag nor the value of one' },
    { words: ['--loud', 'true', 'more'], says: 'Word 3 behind the name' },
    { words: ['--loud', '-x'], says: 'Word 2 behind the name' },
    { words: ['--loud', '9007199254740993'], says: 'loud expected true or false' },
    { words: ['--loud', 'yes'], says: 'loud expected true or false, received string "yes"' },
    { words: ['--per_page', 'five'], says: 'per_page expected a whole number, received string "five"' },
    { words: ['--per_page', '1.5'], says: 'per_page expected a whole number, received string "1.5"' },
    { words: ['--rate', 'Infinity'], says: 'rate expected a number such as 1.5, received string "Infinity"' },
    { words: ['--per_page', '1', '--per_page', '2'], says: 'per_page expected one value, and it is given 2 times' },
    { words: ['--text'], says: 'text expected a value behind --text. One that begins with dashes is given as --text=value' },
    { words: ['--text', '--loud'], says: 'text expected a value behind --text' },
    {
      words: ['--counts', '[1,'],
      says: 'counts expected a JSON array such as ["a", "b"], received 3 characters of JSON with a mistake in line 1, column 4',
    },
    { words: ['--counts', 'x'], says: 'counts expected items that are each a whole number, or a JSON array' },
    { words: ['--filter', 'x'], says: 'filter expected a JSON object such as {"name": "value"}, received string "x"' },
    { words: ['--filter', '[1]'], says: 'filter expected a JSON object such as {"name": "value"}, received 3 characters of JSON' },
    {
      words: ['--per_page', 'x', '--loud', 'y'],
      says: 'per_page expected a whole number, received string "x"; loud expected true or false',
    },
    { words: [], param: ['=x'], says: '--param expected name=value' },
  ];
  for (const { words, param, says } of wrong) {
    it(`are refused: ${[...words, ...(param ?? [])].join(' ')}`, async () => {
      const error = await rejection(given(words, param === undefined ? {} : { param }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('do not repeat JSON that is wrong, which may hold a secret', async () => {
    const error = await rejection(given(['--filter', '{"password": "hunter2" oops}']), 'INVALID_PARAMETERS');
    expect(error.message).to.include('line 1, column 24').and.not.include('hunter2');
  });
});

describe('--params of toolkit run', () => {
  it('takes an object, over which flags win', async () => {
    expect(await given(['--text', 'mine'], { params: ' {"text": "theirs", "per_page": 2}' })).to.deep.equal({ text: 'mine', per_page: 2 });
  });

  it('takes a file, with or without a byte order mark', async () => {
    const folder = await temporaryFolder({ 'a.json': '\uFEFF{"text": "Grüße"}\n' });
    expect(await given([], { params: `${folder}/a.json` })).to.deep.equal({ text: 'Grüße' });
  });

  it('takes standard input', async () => {
    expect(await given([], { params: '-' }, '{"text": "piped"}')).to.deep.equal({ text: 'piped' });
  });

  const wrong = [
    { params: '{"a": my-secret', says: '--params is not JSON: line 1, column 7: found something that JSON does not have' },
    { params: '{"a": 1,\n "b": }', says: '--params is not JSON: line 2, column 7: expected a value' },
    { params: '{"a": 1} x', says: '--params is not JSON: line 1, column 10' },
    { params: '-', stdin: '', says: '--params is not JSON: it is empty' },
    { params: '-', stdin: '["my-secret"]', says: '--params expected a JSON object such as {"text": "hello"}, received array of 1' },
    { params: '-', stdin: '"my-secret"', says: '--params expected a JSON object such as {"text": "hello"}, received a string' },
    { params: '/no/such/file.json', says: '--params names a file that cannot be read: it does not exist (ENOENT)' },
    { params: '/', says: '--params names a file that cannot be read: it is a folder (EISDIR)' },
    { params: '/etc/passwd/x', says: '--params names a file that cannot be read: a part of its path is not a folder (ENOTDIR)' },
  ];
  for (const { params, stdin, says } of wrong) {
    it(`is refused without being repeated: ${JSON.stringify(stdin ?? params)}`, async () => {
      const error = await rejection(given([], { params }, stdin), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.not.include('my-secret');
    });
  }

  it('is refused when it is not UTF-8', async () => {
    const input = new PassThrough();
    input.end(Buffer.from([0x7b, 0xff, 0x7d]));
    const call = callParameters(tool, { arguments: [tool.name], flags: { params: '-' }, terminal: { ...noTerminal, input } });
    expect((await rejection(call, 'INVALID_PARAMETERS')).message).to.include('--params is not JSON in UTF-8');
  });
});
