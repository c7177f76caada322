import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { python } from '../../../support/python.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from '../json/random-json.ts';

describe('convert_toml_to_json', () => {
  const shared = sharedToolkit();

  async function read(text: unknown): Promise<unknown> {
    return ((await shared.toolkit.execute('convert_toml_to_json', { text })) as { data: unknown }).data;
  }

  const document = `
# A document that has everything
title = "Grüße 👋 \\u00e9"
"quoted key" = 'C:\\path'
integers = [1, -2, +3, 0x1F, 0o17, 0b11, 1_000]
floats = [1.5, -0.5, 1e3, 6.626e-34]
switch = true
multi = """
one \\
   two
three"""
literal = '''
a\\b'''
[owner.address]
city = "世界"
points = [ { x = 1, y = 2 }, { x = 3 } ]
[[items]]
name = "a"
[[items]]
name = "b"
[items.more]
deep.er = 1
`;

  it('reads what Python reads', async () => {
    expect(await read(document)).to.deep.equal(python('import tomllib\nresult = tomllib.loads(given)', document));
  });

  const cases: readonly { readonly what: string; readonly text: string; readonly data: unknown }[] = [
    { what: 'an empty text', text: '', data: {} },
    { what: 'a byte order mark and CRLF', text: '\uFEFFa = 1\r\nb = """x\r\ny"""\r\n', data: { a: 1, b: 'x\r\ny' } },
    {
      what: 'a date and time with an offset',
      text: 'a = 1979-05-27T00:32:00.999999-07:00',
      data: { a: '1979-05-27T00:32:00.999999-07:00' },
    },
    { what: 'a date and time in UTC, with a space', text: 'a = 1979-05-27 07:32:00z', data: { a: '1979-05-27T07:32:00Z' } },
    { what: 'a local date and time', text: 'a = 1979-05-27t07:32:00', data: { a: '1979-05-27T07:32:00' } },
    { what: 'a date', text: 'a = 2024-02-29', data: { a: '2024-02-29' } },
    { what: 'a date of the first year', text: 'a = [0001-01-01]', data: { a: ['0001-01-01'] } },
    { what: 'a time', text: 'a = 07:32:00.123456789', data: { a: '07:32:00.123456789' } },
    // Seconds are 00 where they were left out (TOML 1.1.0, Local Time).
    { what: 'a time without seconds', text: 'a = 07:32', data: { a: '07:32:00' } },
    { what: 'a local date and time without seconds', text: 'a = 2024-02-29 23:59', data: { a: '2024-02-29T23:59:00' } },
    { what: 'a time in UTC without seconds', text: 'a = [2024-02-29T00:00z]', data: { a: ['2024-02-29T00:00:00Z'] } },
    {
      what: 'a time with an offset without seconds',
      text: 'a = {b = 2024-02-29t12:34+05:30}',
      data: { a: { b: '2024-02-29T12:34:00+05:30' } },
    },
    { what: 'a time at an offset that looks like one', text: 'a = 2024-02-29T10:00-10:00', data: { a: '2024-02-29T10:00:00-10:00' } },
    { what: 'an escape by two digits (1.1)', text: 'a = "\\x41\\e"', data: { a: 'A\u001b' } },
    { what: 'an inline table over lines (1.1)', text: 'a = {\n  b = 1, # one\n  c = 2,\n}', data: { a: { b: 1, c: 2 } } },
    {
      what: 'dotted names in inline tables of a list of tables',
      text: '[[a]]\nb = {c.d = 1, c.e = 2}\n[[a]]\nb = {c.d = 3}\n[a.f]\ng.h = 4\n',
      data: { a: [{ b: { c: { d: 1, e: 2 } } }, { b: { c: { d: 3 } }, f: { g: { h: 4 } } }] },
    },
    { what: 'U+FEFF in a text, which is no mark there', text: 'a = "\uFEFFb"', data: { a: '\uFEFFb' } },
    { what: 'a date as a name', text: '2024-02-30 = 1', data: { '2024-02-30': 1 } },
    {
      what: 'integers beyond 2^53 as texts',
      text: 'a = 9007199254740993\nb = -9223372036854775808\nc = 9007199254740991',
      data: { a: '9007199254740993', b: '-9223372036854775808', c: 9_007_199_254_740_991 },
    },
    { what: 'inf and nan as texts', text: 'a = [inf, -inf, +nan]', data: { a: ['inf', '-inf', 'nan'] } },
  ];
  for (const { what, text, data } of cases) {
    it(`reads ${what}`, async () => {
      expect(await read(text)).to.deep.equal(data);
    });
  }

  it('takes __proto__ and constructor for names like any other', async () => {
    const data = await read('__proto__ = { x = 1 }\n[constructor.prototype]\ny = 1\n[[a.__proto__]]\nz = 1');
    expect(JSON.stringify(data)).to.equal('{"__proto__":{"x":1},"constructor":{"prototype":{"y":1}},"a":{"__proto__":[{"z":1}]}}');
  });

  const mistakes: readonly { readonly text: string; readonly line: number; readonly column: number; readonly says: string }[] = [
    { text: 'a = 1\na = 2', line: 2, column: 1, says: 'redefine' },
    { text: 'a = ', line: 1, column: 5, says: 'invalid value' },
    { text: '\r\na = "x', line: 2, column: 5, says: 'unfinished string' },
    { text: 'a = 017', line: 1, column: 5, says: 'leading zero' },
    { text: 'ä = 1', line: 1, column: 1, says: 'illegal character in key' },
    { text: 'a = "\\uD800"', line: 1, column: 6, says: 'unicode escape' },
    { text: 'a = 2024-02-30', line: 1, column: 5, says: 'a date or time that does not exist' },
    { text: 'a = 2023-02-29T00:00:00Z', line: 1, column: 5, says: 'does not exist' },
    { text: 'a = 2024-13-01', line: 1, column: 5, says: 'does not exist' },
    { text: '\uFEFF\uFEFFa = 1', line: 1, column: 2, says: 'only one byte order mark' },
    { text: '\uFEFF\uFEFF', line: 1, column: 2, says: 'only one byte order mark' },
    { text: '\uFEFF\uFEFF\uFEFF# a\n', line: 1, column: 2, says: 'only one byte order mark' },
    { text: 'a = 1\n\uFEFFb = 2', line: 2, column: 1, says: 'illegal character in key' },
    { text: 'a = 24:00', line: 1, column: 5, says: 'does not exist' },
    { text: 'a = [24:00:00]', line: 1, column: 6, says: 'does not exist' },
    { text: 'a = 2024-01-01T10:60:00', line: 1, column: 5, says: 'does not exist' },
    { text: 'a = 2024-01-01T10:00:00+25:00', line: 1, column: 5, says: 'does not exist' },
  ];
  for (const { text, line, column, says } of mistakes) {
    it(`tells where ${JSON.stringify(text)} is wrong`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`The TOML is wrong at line ${line}, column ${column}: `).and.to.include(says);
      expect(error.details).to.include({ line, column });
    });
  }

  for (const text of [`a = ${'['.repeat(2000)}`, `${'a.'.repeat(5000)}b = 1`, `a = ${'['.repeat(490)}${']'.repeat(490)}`]) {
    it(`refuses ${text.slice(0, 10)}… that is nested too deeply`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.match(/nested/);
    });
  }

  it('refuses a result over its limit', async () => {
    await rejection(read(`a = [${'1e9,'.repeat(800_000)}]`), 'OUTPUT_TOO_LARGE');
  });

  it('refuses a text over its limit', async () => {
    await rejection(read('#'.repeat(4_194_305)), 'INVALID_PARAMETERS');
  });
});

describe('convert_json_to_toml', () => {
  const shared = sharedToolkit();

  async function write(data: unknown): Promise<string> {
    return ((await shared.toolkit.execute('convert_json_to_toml', { data })) as { text: string }).text;
  }

  const cases: readonly { readonly data: object; readonly text: string }[] = [
    { data: {}, text: '' },
    { data: { b: { c: {} }, a: 1 }, text: 'a = 1\n\n[b.c]\n' },
    { data: { a: [{ b: 1 }, { c: [] }] }, text: '[[a]]\nb = 1\n\n[[a]]\nc = []\n' },
    { data: { 'a b': 'x\n"\\', 名: 'Grüße 👋' }, text: '"a b" = "x\\n\\"\\\\"\n"名" = "Grüße 👋"\n' },
    { data: { a: 1.5, b: 1e21, c: '2024-01-31' }, text: 'a = 1.5\nb = 1e+21\nc = "2024-01-31"\n' },
  ];
  for (const { data, text } of cases) {
    it(`writes ${JSON.stringify(data)}`, async () => {
      expect(await write(data)).to.equal(text);
    });
  }

  it('writes what Python and convert_toml_to_json read as the same data, for many objects', async () => {
    const random = randomNumbers(33);
    const values = Array.from({ length: inRound({ whole: 200, short: 60 }) }, () => ({ data: withoutNulls(randomJson(random, 4)) }));
    const texts = await Promise.all(values.map(write));
    expect(python('import tomllib\nresult = [tomllib.loads(text) for text in given]', texts)).to.deep.equal(values);
    for (const [index, text] of texts.entries()) {
      const { data } = (await shared.toolkit.execute('convert_toml_to_json', { text })) as { data: unknown };
      expect(data).to.deep.equal(values[index]);
    }
  });

  const refused: readonly { readonly data: unknown; readonly path: string; readonly says: string }[] = [
    { data: { a: null }, path: 'data.a', says: 'is null, for which TOML has no form' },
    { data: { a: [{ b: [1, null] }] }, path: 'data.a[0].b[1]', says: 'is null' },
    { data: { a: 2 ** 53 }, path: 'data.a', says: 'beyond 2^53' },
    { data: { a: '\uDC00' }, path: 'data.a', says: 'half of a surrogate pair' },
  ];
  for (const { data, path, says } of refused) {
    it(`refuses ${JSON.stringify(data)}`, async () => {
      const error = await rejection(write(data), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]).to.include({ path });
    });
  }

  it('refuses what is no object, and a result over its limit', async () => {
    for (const data of [[1], 'a', undefined]) await rejection(write(data), 'INVALID_PARAMETERS');
    await rejection(write({ a: 'x'.repeat(8_400_000) }), 'OUTPUT_TOO_LARGE');
  });
});

function withoutNulls(value: JsonValue): JsonValue {
  if (value === null) return 'null';
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNulls(member)]));
}
