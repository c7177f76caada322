import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { randomJson } from '../json/random-json.ts';

interface Read {
  readonly data: unknown;
  readonly warnings?: readonly object[];
}

describe('convert_yaml_to_json', () => {
  const shared = sharedToolkit();

  const read = (text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Read> =>
    shared.toolkit.execute('convert_yaml_to_json', { text, ...more }) as unknown as Promise<Read>;

  const cases: readonly { readonly what: string; readonly text: string; readonly data: unknown }[] = [
    {
      what: 'mappings, sequences and scalars',
      text: 'a: [1, 2.5, true, ~]\nb:\n  - x\n  - "y"\n',
      data: { a: [1, 2.5, true, null], b: ['x', 'y'] },
    },
    { what: 'an empty text as null', text: '', data: null },
    { what: 'a comment as null', text: '# nothing\n', data: null },
    { what: 'text beyond ASCII', text: '名: Grüße 👋\n', data: { 名: 'Grüße 👋' } },
    { what: 'a byte order mark and CRLF', text: '\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n', data: { a: 1, b: 'x\ny\n' } },
    { what: 'folded and literal blocks', text: 'a: >\n  x\n  y\nb: |-\n  x\n  y\n', data: { a: 'x y\n', b: 'x\ny' } },
    { what: 'yes, no, on and off as texts (1.2)', text: '[yes, No, on, OFF, y]', data: ['yes', 'No', 'on', 'OFF', 'y'] },
    {
      what: 'numbers by the rules of 1.2',
      text: '[017, 0o17, 0x1F, 1_000, 1:30, +1, 1e3, .5]',
      data: [17, 15, 31, '1_000', '1:30', 1, 1000, 0.5],
    },
    { what: 'dates as texts', text: '[2024-01-31, 2024-01-31T10:00:00Z]', data: ['2024-01-31', '2024-01-31T10:00:00Z'] },
    {
      what: 'numbers that JSON cannot hold as texts',
      text: '[9007199254740993, -12345678901234567890, 0xFFFFFFFFFFFFFFFF, .inf, -.INF, .nan, 1e999]',
      data: ['9007199254740993', '-12345678901234567890', '18446744073709551615', '.inf', '-.INF', '.nan', '1e999'],
    },
    {
      what: 'names that are no texts as texts',
      text: '1: a\ntrue: b\nnull: c\n2.5: d\n',
      data: { 1: 'a', true: 'b', null: 'c', '2.5': 'd' },
    },
    { what: 'anchors and aliases', text: 'a: &x {b: 1}\nc: *x\nd: &x 2\ne: *x\n', data: { a: { b: 1 }, c: { b: 1 }, d: 2, e: 2 } },
    { what: 'an alias as a name', text: 'a: &x b\n*x : 1\n', data: { a: 'b', b: 1 } },
    {
      what: 'merges, in which own names win',
      text: 'b: &b {x: 1, y: 2}\nc: {<<: *b, x: 3}\nd: {x: 3, <<: [*b, {x: 9, z: 4}]}\n',
      data: { b: { x: 1, y: 2 }, c: { x: 3, y: 2 }, d: { x: 3, y: 2, z: 4 } },
    },
    { what: '"<<" in quotes as a name', text: '"<<": 5', data: { '<<': 5 } },
    { what: 'tags of the core schema', text: '[!!str 1, !!int "7", !!float "1.5"]', data: ['1', 7, 1.5] },
    {
      what: 'sets and ordered maps',
      text: '%YAML 1.1\n---\na: !!set {p, q}\nb: !!omap [p: 1, q: 2]\n',
      data: { a: { p: null, q: null }, b: [{ p: 1 }, { q: 2 }] },
    },
    {
      what: 'bytes as their base64, of which white space is no part',
      text: 'a: !!binary "\\\n  aGVs\\\n  bG8="\nb: !!binary |\n  aGVs\n  bG8=\nc: !!binary aG k=\n',
      data: { a: 'aGVsbG8=', b: 'aGVsbG8=', c: 'aGk=' },
    },
    {
      what: 'the older rules where the text asks for them',
      text: '%YAML 1.1\n---\n[yes, 017, 1_000, 2024-01-31, 1:30, !!binary aGk=]\n',
      data: [true, 15, 1000, '2024-01-31', 90, 'aGk='],
    },
  ];
  for (const { what, text, data } of cases) {
    it(`reads ${what}`, async () => {
      expect(await read(text)).to.deep.equal({ data });
    });
  }

  it('gives several documents as a list, and only then', async () => {
    const text = 'a: 1\n---\n- 2\n...\n---\n';
    expect(await read(text, { all_documents: true })).to.deep.equal({ data: [{ a: 1 }, [2], null] });
    expect(await read('a: 1', { all_documents: true })).to.deep.equal({ data: [{ a: 1 }] });
    expect(await read('', { all_documents: true })).to.deep.equal({ data: [] });
    const error = await rejection(read(text), 'INVALID_PARAMETERS');
    expect(error.message).to.include('received 3').and.to.include('Set all_documents');
  });

  // A document is there where "---" begins it or something stands in it (YAML 1.2.2, 9.1 and 9.2).
  const streams: readonly { readonly text: string; readonly data: readonly unknown[] }[] = [
    { text: '...\n', data: [] },
    { text: '# nothing\n...\n...\n', data: [] },
    { text: 'a\n...\n# nothing\n...\nb: 1\n...\n', data: ['a', { b: 1 }] },
    { text: '---\n...\n...\n', data: [null] },
    { text: '--- # nothing\n---\n', data: [null, null] },
    { text: '""\n...\n', data: [''] },
    { text: '!!str\n...\n', data: [''] },
    { text: '&a\n...\n~\n...\n', data: [null, null] },
    { text: '\uFEFF---\na\n...\n\uFEFF---\nb\n', data: ['a', 'b'] },
    { text: '%YAML 1.2\n---\na\n...\n%YAML 1.1\n---\nyes\n', data: ['a', true] },
    { text: 'a: |\n %YAML 1.2\n %YAML 1.2\n', data: [{ a: '%YAML 1.2\n%YAML 1.2\n' }] },
  ];
  for (const { text, data } of streams)
    it(`finds the documents of ${JSON.stringify(text)}`, async () => {
      expect(await read(text, { all_documents: true })).to.deep.equal({ data });
    });

  it('takes a text with one document and ends behind it', async () => {
    expect(await read('a: 1\n...\n...\n')).to.deep.equal({ data: { a: 1 } });
    expect(await read('...\n')).to.deep.equal({ data: null });
  });

  it('leaves out tags of applications, and says so', async () => {
    const { data, warnings } = await read('a: !Ref b\nc: !!python/object/apply:os.system ["true"]\n');
    expect(data).to.deep.equal({ a: 'b', c: ['true'] });
    expect(warnings).to.have.length(2);
    expect(warnings?.[0]).to.deep.equal({ line: 1, column: 4, message: 'Unresolved tag: !Ref' });
  });

  it('takes __proto__ and constructor for names like any other, merged ones too', async () => {
    const { data } = await read('__proto__: {x: 1}\nconstructor: 2\nb: {<<: {__proto__: {y: 1}}}\n');
    expect(JSON.stringify(data)).to.equal('{"__proto__":{"x":1},"constructor":2,"b":{"__proto__":{"y":1}}}');
  });

  const mistakes: readonly { readonly text: string; readonly line: number; readonly column: number; readonly says: string }[] = [
    { text: 'a: 1\nb: [1\n', line: 3, column: 1, says: 'must be sufficiently indented' },
    { text: 'a:\n  b: 1\n c: 2\n', line: 3, column: 1, says: 'must start at the same column' },
    { text: 'ä: 1\r\n\tb: 2\r\n', line: 2, column: 1, says: 'Tabs are not allowed' },
    { text: 'a: b: c', line: 1, column: 4, says: 'Nested mappings' },
    { text: 'a: "x', line: 1, column: 6, says: 'Missing closing "quote' },
    { text: 'a: 1\nb: 2\na: 3\n', line: 3, column: 1, says: 'the name "a" comes twice' },
    { text: '1: a\n"1": b\n', line: 2, column: 1, says: 'the name "1" comes twice' },
    { text: 'a: 1\n? [b]\n: 1\n', line: 2, column: 3, says: 'a list or a mapping is used as a name' },
    { text: '%YAML 1.2\n', line: 1, column: 1, says: 'a directive needs a document behind it' },
    { text: '# a\n%TAG !a! tag:a.example,2024:\n# b\n', line: 2, column: 1, says: 'a directive needs a document behind it' },
    { text: 'a\n...\n%YAML 1.2\n', line: 3, column: 1, says: 'a directive needs a document behind it' },
    { text: '%YAML 1.2\n...\n', line: 2, column: 1, says: 'Missing directives-end' },
    { text: '%YAML 1.2\n%YAML 1.2\n---\n', line: 2, column: 1, says: '%YAML comes twice' },
    { text: '---\na\n...\n%YAML 1.2\n# b\n%YAML 1.1\n---\nc', line: 6, column: 1, says: '%YAML comes twice' },
    { text: '%TAG !a! tag:a\n%TAG !b! tag:b\n%TAG  !a!\ttag:c\n---\nd', line: 3, column: 1, says: '%TAG !a! comes twice' },
    { text: 'a: *none', line: 1, column: 4, says: 'there is no &none before *none' },
    { text: 'a: *x\nb: &x 1', line: 1, column: 4, says: 'there is no &x before *x' },
    { text: 'a: &x {b: [*x]}', line: 1, column: 12, says: '*x is inside of what it stands for' },
    { text: 'a: {<<: 5}', line: 1, column: 5, says: '"<<" needs a mapping' },
  ];
  for (const { text, line, column, says } of mistakes) {
    it(`tells where ${JSON.stringify(text)} is wrong`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says).and.to.include(`at line ${line}, column ${column}`);
      expect(error.details).to.include({ line, column });
    });
  }

  it('refuses aliases that multiply without end', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const item = level === 0 ? 'lol' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`;
    });
    await rejection(read(levels.join('')), 'OUTPUT_TOO_LARGE');
  });

  it('refuses merges that multiply without end', async () => {
    const base = Array.from({ length: 1000 }, (_, index) => `k${index}: 1`).join(', ');
    await rejection(read(`b: &b {${base}}\nc:\n${'- {<<: *b}\n'.repeat(4000)}`), 'OUTPUT_TOO_LARGE');
  });

  const deep = {
    'a flow sequence': '['.repeat(50_000),
    'a block sequence': `${'- '.repeat(20_000)}x`,
    'closed sequences': `${'['.repeat(600)}${']'.repeat(600)}`,
    'a chain of aliases': Array.from(
      { length: 5000 },
      (_, index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}`}]\n`,
    ).join(''),
  };
  for (const [what, text] of Object.entries(deep)) {
    it(`refuses ${what} that is nested too deeply`, async () => {
      const error = await rejection(read(text), 'INVALID_PARAMETERS');
      expect(error.message).to.include('nested too deeply');
    });
  }

  it('reads a mapping of very many names', async () => {
    const length = inRound({ whole: 100_000, short: 20_000 });
    const text = Array.from({ length }, (_, index) => `name${index}: ${index}\n`).join('');
    const { data } = await read(text);
    expect(Object.keys(data as object)).to.have.length(length);
  });

  it('refuses a text over its limit, and what is no text', async () => {
    for (const text of ['#'.repeat(4_194_305), { a: 1 }, undefined]) await rejection(read(text), 'INVALID_PARAMETERS');
  });
});

describe('convert_json_to_yaml', () => {
  const shared = sharedToolkit();

  async function write(data: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    return ((await shared.toolkit.execute('convert_json_to_yaml', { data, ...more })) as { text: string }).text;
  }

  const cases: readonly { readonly data: unknown; readonly text: string; readonly more?: object }[] = [
    { data: {}, text: '{}\n' },
    { data: [], text: '[]\n' },
    { data: null, text: 'null\n' },
    { data: 'two\nlines', text: '"two\\nlines"\n' },
    { data: { a: { b: [1, { c: null }] } }, text: 'a:\n    b:\n        - 1\n        - c: null\n', more: { indent: 4 } },
    { data: { 名: 'Grüße 👋' }, text: '名: Grüße 👋\n' },
    { data: { a: 'x\ny\n' }, text: 'a: |\n  x\n  y\n' },
    { data: { a: '\n x', b: ' \ny', c: [' \n'] }, text: 'a: "\\n x"\nb: "\\ \\ny"\nc:\n  - "\\ \\n"\n' },
    { data: { 'a\tb': 'c\td', e: 'f\n\tg' }, text: '"a\\tb": "c\\td"\ne: |-\n  f\n  \tg\n' },
    { data: { a: `${'word '.repeat(50)}end` }, text: `a: ${'word '.repeat(50)}end\n` },
    { data: { a: [1, 1], b: { c: 1 } }, text: 'a:\n  - 1\n  - 1\nb:\n  c: 1\n' },
    { data: JSON.parse('{"__proto__":{"x":1},"constructor":2}'), text: '__proto__:\n  x: 1\nconstructor: 2\n' },
  ];
  for (const { data, text, more = {} } of cases) {
    it(`writes ${JSON.stringify(data).slice(0, 60)}`, async () => {
      expect(await write(data, { ...more })).to.equal(text);
    });
  }

  /** Each of these is a text, and something else without quotes for a reader of YAML 1.1, 1.2 or both (checked with PyYAML 6). */
  const ambiguous = [
    'yes',
    'No',
    'on',
    'off',
    'y',
    'n',
    'true',
    'null',
    '~',
    '',
    '017',
    '0o17',
    '0x1F',
    '1_000',
    '1e3',
    '.5',
    '.inf',
    '1:30',
    '2024-01-31',
    '<<',
    '=',
    '- a',
    'a: b',
    '#',
    '@a',
    ' a',
    'a ',
  ];
  for (const text of ambiguous) {
    it(`puts the text ${JSON.stringify(text)} in quotes`, async () => {
      expect(await write({ a: text })).to.equal(`a: "${text}"\n`);
    });
  }

  it('writes numbers so that YAML 1.1 takes none of them for a text', async () => {
    expect(await write([1e21, 1e-7, 1.5e300, -0.5, 12])).to.equal('- 1.0e+21\n- 1.0e-7\n- 1.5e+300\n- -0.5\n- 12\n');
  });

  it('escapes characters that YAML 1.1 takes for line ends, or does not allow', async () => {
    expect(await write({ a: 'x\u0085y\u2028z\u007f\uFEFF', b: '\0' })).to.equal('a: "x\\u0085y\\u2028z\\u007f\\ufeff"\nb: "\\0"\n');
  });

  it('writes what convert_yaml_to_json reads as the same value, for many values', async () => {
    const random = randomNumbers(12);
    const values: JsonValue[] = Array.from({ length: inRound({ whole: 300, short: 100 }) }, () => randomJson(random, 4));
    const documents = await Promise.all(values.map((value, index) => write(value, { indent: 1 + (index % 4) })));
    const text = documents.map((document) => `---\n${document}`).join('');
    const { data } = (await shared.toolkit.execute('convert_yaml_to_json', { text, all_documents: true })) as { data: unknown };
    expect(JSON.stringify(data)).to.equal(JSON.stringify(values));
  });

  const refused: readonly { readonly data: unknown; readonly path: string; readonly says: string }[] = [
    { data: { a: [2 ** 53] }, path: 'data.a[0]', says: 'beyond 2^53' },
    { data: -(2 ** 53), path: 'data', says: 'Give it as a text' },
    { data: { a: 'x\uD800' }, path: 'data.a', says: 'half of a surrogate pair' },
  ];
  for (const { data, path, says } of refused) {
    it(`refuses ${JSON.stringify(data)}`, async () => {
      const error = await rejection(write(data), 'INVALID_PARAMETERS');
      expect(error.message).to.include(path).and.to.include(says);
      expect(error.details.issues?.[0]).to.include({ path });
    });
  }

  it('refuses a result over its limit', async () => {
    await rejection(write(Array.from({ length: 5 }, () => 'x'.repeat(2_000_000))), 'OUTPUT_TOO_LARGE');
  });

  for (const parameters of [{}, { data: 1, indent: 0 }, { data: 1, indent: 9 }]) {
    it(`refuses the parameters ${JSON.stringify(parameters)}`, async () => {
      await rejection(shared.toolkit.execute('convert_json_to_yaml', parameters), 'INVALID_PARAMETERS');
    });
  }
});
