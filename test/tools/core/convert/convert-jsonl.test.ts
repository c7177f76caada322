import { expect } from 'chai';
import { python } from '../../../support/python.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from '../json/random-json.ts';

interface Read {
  readonly rows: readonly unknown[];
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

describe('convert_jsonl_to_json', () => {
  const shared = sharedToolkit();

  const read = (text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Read> =>
    shared.toolkit.execute('convert_jsonl_to_json', { text, ...more }) as unknown as Promise<Read>;

  const cases: readonly { readonly what: string; readonly text: string; readonly rows: readonly unknown[] }[] = [
    { what: 'a value in each line', text: '{"a":1}\n[1,2]\n"x"\n null \n1.5\n', rows: [{ a: 1 }, [1, 2], 'x', null, 1.5] },
    { what: 'nothing', text: '', rows: [] },
    { what: 'empty lines', text: '\n \r\n\t\n', rows: [] },
    { what: 'all line ends, and a byte order mark', text: '\uFEFF1\r\n2\r3\n\n4', rows: [1, 2, 3, 4] },
    { what: 'text beyond ASCII', text: '{"名":"Grüße 👋","s":"\\u00e9\u2028"}', rows: [{ 名: 'Grüße 👋', s: 'é\u2028' }] },
    {
      what: 'integers beyond 2^53 as texts',
      text: '{"a":9007199254740993,"b":[-12345678901234567890,9007199254740991],"c":"12345678901234567890"}',
      rows: [{ a: '9007199254740993', b: ['-12345678901234567890', 9_007_199_254_740_991], c: '12345678901234567890' }],
    },
    {
      what: 'other long numbers as numbers',
      text: '[1.12345678901234567890, 12345678901234567890.0, 1e0000000000000000002]',
      rows: [[1.1234567890123457, 12345678901234567000, 100]],
    },
    {
      what: 'numbers that are too large for a double as texts, and ones that are too small as 0',
      text: `[1e400, -1.5E+309, 1e308, 1e-400, "1e400", 9${'0'.repeat(320)}]`,
      rows: [['1e400', '-1.5E+309', 1e308, 0, '1e400', `9${'0'.repeat(320)}`]],
    },
    {
      what: 'digits in texts as they are',
      text: '{"a\\"1":"x\\\\","12345678901234567890":"\\"12345678901234567890"}',
      rows: [{ 'a"1': 'x\\', '12345678901234567890': '"12345678901234567890' }],
    },
  ];
  for (const { what, text, rows } of cases) {
    it(`reads ${what}`, async () => {
      expect(await read(text)).to.deep.equal({ rows, errors: [] });
    });
  }

  it('reads what Python reads, for 200 values', async () => {
    const random = randomNumbers(77);
    const text = Array.from({ length: 200 }, () => JSON.stringify(randomJson(random, 4))).join('\n');
    const { rows } = await read(text);
    expect(JSON.stringify(rows)).to.equal(JSON.stringify(python('result = [json.loads(line) for line in given.split("\\n")]', text)));
  });

  it('takes __proto__ and constructor for names like any other', async () => {
    const line = '{"__proto__":{"x":1},"constructor":12345678901234567890}';
    expect(JSON.stringify((await read(line)).rows)).to.equal('[{"__proto__":{"x":1},"constructor":"12345678901234567890"}]');
  });

  const mistakes: readonly { readonly text: string; readonly line: number; readonly column: number; readonly says: string }[] = [
    { text: '{"a":1}\n{"ä":}\n', line: 2, column: 6, says: 'expected a value' },
    { text: '1\r\n\r\n  {"a" 1}', line: 3, column: 8, says: 'expected ":"' },
    { text: '1 2', line: 1, column: 3, says: 'expected nothing more' },
    { text: '{"a":1} // x', line: 1, column: 9, says: 'comments are not allowed' },
    { text: '[1,]', line: 1, column: 4, says: 'expected a value' },
    { text: 'NaN', line: 1, column: 1, says: 'something that JSON does not have' },
    { text: '[\n1]', line: 1, column: 2, says: 'expected "]"' },
  ];
  for (const { text, line, column, says } of mistakes) {
    it(`tells where ${JSON.stringify(text)} is wrong`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`The JSON is wrong at line ${line}, column ${column}: `).and.to.include(says);
      expect(error.details).to.include({ line, column });
    });
  }

  it('leaves out lines that are wrong on request, and tells them', async () => {
    const { rows, errors } = await read('1\n{\n\n"x"\n{"a"}\n', { skip_invalid: true });
    expect(rows).to.deep.equal([1, 'x']);
    expect(errors).to.deep.equal([
      { line: 2, message: 'column 2: expected "}"' },
      { line: 5, message: 'column 5: expected ":" after the name' },
    ]);
  });

  it('tells 100 errors at most', async () => {
    const { rows, errors } = await read('x\n'.repeat(300), { skip_invalid: true });
    expect([rows.length, errors.length]).to.deep.equal([0, 100]);
  });

  for (const levels of [600, 500_000]) {
    it(`refuses a line of ${levels} levels`, async () => {
      await rejection(read('['.repeat(levels) + ']'.repeat(levels)), 'INVALID_PARAMETERS');
      await rejection(read('['.repeat(levels)), 'INVALID_PARAMETERS');
    });
  }

  it('reads very many lines', async () => {
    const lines = inRound({ whole: 200_000, short: 40_000 });
    expect((await read('{"a":[1,2]}\n'.repeat(lines))).rows).to.have.length(lines);
  });

  it('refuses a result over its limit', async () => {
    await rejection(read('1e9\n'.repeat(800_000)), 'OUTPUT_TOO_LARGE');
  });

  it('refuses a text over its limit', async () => {
    for (const text of ['1'.repeat(4_194_305), [1], undefined]) await rejection(read(text), 'INVALID_PARAMETERS');
  });
});
