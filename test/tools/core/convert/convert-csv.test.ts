import { expect } from 'chai';
import { python } from '../../../support/python.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Table {
  readonly rows: readonly unknown[];
  readonly columns: readonly string[];
  readonly errors: readonly { readonly row: number; readonly line: number; readonly message: string }[];
  readonly delimiter: string;
  readonly truncated: boolean;
}

describe('convert_csv_to_json', () => {
  const shared = sharedToolkit();

  const read = (text: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<Table> =>
    shared.toolkit.execute('convert_csv_to_json', { text, ...more }) as unknown as Promise<Table>;

  const texts: readonly { readonly what: string; readonly text: string; readonly more?: object; readonly rows: readonly unknown[] }[] = [
    {
      what: 'rows under their names',
      text: 'a,b\n1,x\n2,y\n',
      rows: [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
    },
    { what: 'an empty text', text: '', rows: [] },
    { what: 'empty lines', text: '\n\r\n', rows: [] },
    { what: 'a header alone', text: 'a,b', rows: [] },
    { what: 'a byte order mark', text: '\uFEFFa\n1', rows: [{ a: 1 }] },
    { what: 'text beyond ASCII', text: '名,ü\n世界,Grüße 👋\n', rows: [{ 名: '世界', ü: 'Grüße 👋' }] },
    { what: 'CRLF', text: 'a,b\r\n1,2\r\n', rows: [{ a: 1, b: 2 }] },
    {
      what: 'CR',
      text: 'a,b\r1,2\r3,4',
      rows: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    },
    {
      what: 'all line ends at once',
      text: 'a,b\r\n"x\r\ny",1\n"\rz",2\r3,4',
      rows: [
        { a: 'x\r\ny', b: 1 },
        { a: '\rz', b: 2 },
        { a: '3', b: 4 },
      ],
    },
    {
      what: 'quotes',
      text: 'a,b\n"q ""r""","x,y"\nx"y,""\n',
      rows: [
        { a: 'q "r"', b: 'x,y' },
        { a: 'x"y', b: null },
      ],
    },
    { what: 'empty lines between rows', text: 'a\n\nx\n\n\ny\n', rows: [{ a: 'x' }, { a: 'y' }] },
    { what: 'an empty field alone in its row', text: 'a\nx\n""\n', rows: [{ a: 'x' }, { a: null }] },
    {
      what: 'lists without a header',
      text: 'a,1\nb,2\n',
      more: { header: false },
      rows: [
        ['a', 1],
        ['b', 2],
      ],
    },
    { what: 'everything as text on request', text: 'a,b\n1,\n', more: { infer_types: false }, rows: [{ a: '1', b: '' }] },
    { what: 'white space as a part of a field', text: 'a, b\n x,"y "\n', rows: [{ a: ' x', ' b': 'y ' }] },
    { what: 'a delimiter of our own', text: 'a.b\n1.2', more: { delimiter: '.' }, rows: [{ a: 1, b: 2 }] },
    { what: 'a delimiter that is given though another is there', text: 'a;b\n1;2', more: { delimiter: ',' }, rows: [{ 'a;b': '1;2' }] },
  ];
  for (const { what, text, more = {}, rows } of texts) {
    it(`reads ${what}`, async () => {
      const table = await read(text, { ...more });
      expect(table.rows).to.deep.equal(rows);
      expect(table).to.deep.include({ errors: [], truncated: false });
    });
  }

  for (const [delimiter, text] of Object.entries({
    ',': 'a,b\n1,2\n',
    ';': 'a;b\r\n"1;0";2,5\r\n3;\r\n',
    '\t': 'a\tb\n1\t2,5\n',
    '|': 'a|b\n1|2\n',
  })) {
    it(`finds out the delimiter ${JSON.stringify(delimiter)}`, async () => {
      expect(await read(text)).to.deep.include({ delimiter, columns: ['a', 'b'] });
    });
  }

  const columns: readonly { readonly fields: readonly string[]; readonly values: readonly unknown[] }[] = [
    { fields: ['1', '-2', '0', '3.50', '1e3', '-0.5E-2'], values: [1, -2, 0, 3.5, 1000, -0.005] },
    { fields: ['1', '', '2'], values: [1, null, 2] },
    { fields: ['007', '12'], values: ['007', '12'] },
    { fields: ['+1', '2'], values: ['+1', '2'] },
    { fields: ['1', 'x'], values: ['1', 'x'] },
    { fields: ['.5', '1.'], values: ['.5', '1.'] },
    { fields: ['1 ', '2'], values: ['1 ', '2'] },
    { fields: ['123456789012345', '-1'], values: [123_456_789_012_345, -1] },
    { fields: ['1234567890123456', '1'], values: ['1234567890123456', '1'] },
    { fields: ['0.000000000000001234567890123456'], values: ['0.000000000000001234567890123456'] },
    { fields: ['1e400'], values: ['1e400'] },
    { fields: ['NaN', '0x1F'], values: ['NaN', '0x1F'] },
    { fields: ['true', 'FALSE', ''], values: [true, false, null] },
    { fields: ['true', '1'], values: ['true', '1'] },
    { fields: ['yes', 'no'], values: ['yes', 'no'] },
    { fields: ['2024-01-31', '1.5.2'], values: ['2024-01-31', '1.5.2'] },
    { fields: ['', ''], values: [null, null] },
  ];
  for (const { fields, values } of columns) {
    it(`takes a column of ${JSON.stringify(fields)} for ${JSON.stringify(values)}`, async () => {
      const { rows } = await read(`a,b\n${fields.map((field) => `${field},x\n`).join('')}`);
      expect(rows).to.deep.equal(values.map((a) => ({ a, b: 'x' })));
    });
  }

  it('gives every column a name of its own', async () => {
    const { rows, columns: names } = await read('a,,a,a_2,a\n1,2,3,4,5\n');
    expect(names).to.deep.equal(['a', 'column_2', 'a_3', 'a_2', 'a_4']);
    expect(rows).to.deep.equal([{ a: 1, column_2: 2, a_3: 3, a_2: 4, a_4: 5 }]);
  });

  it('takes __proto__ and constructor for names like any other', async () => {
    expect(JSON.stringify((await read('__proto__,constructor\n1,x')).rows)).to.equal('[{"__proto__":1,"constructor":"x"}]');
  });

  it('keeps rows with another number of fields, and tells them', async () => {
    const { rows, columns: names, errors } = await read('a,b\n1,"x\ny"\n2\n\n3,z,4\n');
    expect(rows).to.deep.equal([
      { a: 1, b: 'x\ny' },
      { a: 2, b: null },
      { a: 3, b: 'z', column_3: 4 },
    ]);
    expect(names).to.deep.equal(['a', 'b', 'column_3']);
    expect(errors).to.deep.equal([
      { row: 2, line: 4, message: 'expected 2 fields, received 1' },
      { row: 3, line: 6, message: 'expected 2 fields, received 3' },
    ]);
  });

  it('tells quotes that are wrong', async () => {
    const { errors } = await read('a,b\n1,2\n"x,2\n3,4\n');
    expect(errors[0]).to.deep.equal({ row: 2, line: 3, message: 'Quoted field unterminated' });
    expect((await read('a,b\n"x"y,2\n')).errors[0]?.message).to.include('Trailing quote');
    expect((await read('"a\n1')).errors[0]).to.deep.include({ row: 0, line: 1 });
  });

  it('tells 100 errors at most', async () => {
    const { rows, errors } = await read(`a,b\n${'1\n'.repeat(300)}`);
    expect([rows.length, errors.length]).to.deep.equal([300, 100]);
  });

  const limits: readonly { readonly max_rows: number; readonly rows: number; readonly truncated: boolean }[] = [
    { max_rows: 1, rows: 1, truncated: true },
    { max_rows: 3, rows: 3, truncated: false },
    { max_rows: 9, rows: 3, truncated: false },
  ];
  for (const { max_rows, rows, truncated } of limits) {
    it(`gives ${rows} of 3 rows for max_rows ${max_rows}`, async () => {
      const table = await read('a\n1\n\n2\nx\n\n', { max_rows });
      expect([table.rows.length, table.truncated]).to.deep.equal([rows, truncated]);
      expect((await read('1\n2\n3', { max_rows, header: false })).truncated).to.equal(truncated);
    });
  }

  it('reads what Python reads, for many tables', async () => {
    const tables = randomTables(inRound({ whole: 200, short: 60 }));
    const program = `import csv, io
result = []
for rows, delimiter, end in given:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=end).writerows(rows)
    text = out.getvalue()
    result.append([text, [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row]])`;
    const written = python(program, tables) as [text: string, rows: string[][]][];
    for (const [index, [text, rows]] of written.entries()) {
      const delimiter = tables[index]?.[1];
      const table = await read(text, { header: false, infer_types: false, delimiter });
      expect(table.rows, JSON.stringify(text)).to.deep.equal(rows);
    }
  });

  it('reads very many rows, and refuses a result over its limit', async () => {
    const count = inRound({ whole: 100_000, short: 20_000 });
    const line = (index: number): string => `${index},"Nr. ${index}"\n`;
    const { rows } = await read(`id,name\n${Array.from({ length: count }, (_, index) => line(index)).join('')}`);
    expect(rows[count - 1]).to.deep.equal({ id: count - 1, name: `Nr. ${count - 1}` });
    await rejection(read(`${'a_very_long_name_of_a_column'.repeat(10)}\n${'1\n'.repeat(50_000)}`), 'OUTPUT_TOO_LARGE');
  });

  for (const parameters of [
    {},
    { text: 'a', delimiter: '"' },
    { text: 'a', delimiter: ',,' },
    { text: 'a', max_rows: 0 },
    { text: 'x'.repeat(4_194_305) },
  ]) {
    it(`refuses the parameters ${JSON.stringify(parameters).slice(0, 60)}`, async () => {
      await rejection(shared.toolkit.execute('convert_csv_to_json', parameters), 'INVALID_PARAMETERS');
    });
  }
});

describe('convert_json_to_csv', () => {
  const shared = sharedToolkit();

  const write = (rows: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    shared.toolkit.execute('convert_json_to_csv', { rows, ...more });

  const cases: readonly { readonly rows: readonly unknown[]; readonly more?: object; readonly text: string }[] = [
    {
      rows: [
        { a: 1, b: 'x,y' },
        { c: true, a: null },
      ],
      text: 'a,b,c\r\n1,"x,y",\r\n,,true\r\n',
    },
    { rows: [{ a: 1, b: 2 }], more: { columns: ['b', 'z'] }, text: 'b,z\r\n2,\r\n' },
    { rows: [{ a: 1 }], more: { header: false }, text: '1\r\n' },
    { rows: [], text: '' },
    { rows: [], more: { columns: ['a'] }, text: 'a\r\n' },
    { rows: [['a', 1], ['b']], text: 'a,1\r\nb\r\n' },
    { rows: [['a', 1]], more: { columns: ['x', 'y'] }, text: 'x,y\r\na,1\r\n' },
    { rows: [{ a: 'q"r' }, { a: ' x ' }, { a: 'x\ny' }, { a: '' }], text: 'a\r\n"q""r"\r\n" x "\r\n"x\ny"\r\n""\r\n' },
    { rows: [{ a: 'x;y', b: 'u,v' }], more: { delimiter: ';' }, text: 'a;b\r\n"x;y";u,v\r\n' },
    { rows: [{ a: { b: [1] }, c: [] }], text: 'a,c\r\n"{""b"":[1]}",[]\r\n' },
    { rows: [{ 名: 'Grüße 👋' }], text: '名\r\nGrüße 👋\r\n' },
    { rows: [JSON.parse('{"__proto__":1,"constructor":2}')], text: '__proto__,constructor\r\n1,2\r\n' },
    { rows: [{ a: 1 }], more: { columns: ['toString', 'a'] }, text: 'toString,a\r\n,1\r\n' },
    { rows: [{ a: '=1+1', b: -5 }], text: 'a,b\r\n=1+1,-5\r\n' },
    {
      rows: [{ '=a': '=1+1', b: -5, c: '-5', d: '+x', e: '@y', f: '\tz', g: '\rz', h: 'a=b' }],
      more: { neutralize_formulas: true },
      text: `"'=a",b,c,d,e,f,g,h\r\n"'=1+1",-5,"'-5","'+x","'@y","'\tz","'\rz",a=b\r\n`,
    },
  ];
  for (const { rows, more = {}, text } of cases) {
    it(`writes ${JSON.stringify(rows)} with ${JSON.stringify(more)}`, async () => {
      expect(await write(rows, { ...more })).to.deep.equal({ text, rows: rows.length });
    });
  }

  it('writes what Python and convert_csv_to_json read as the same rows, for many tables', async () => {
    const tables = randomTables(inRound({ whole: 200, short: 60 }));
    const texts = await Promise.all(tables.map(async ([rows, delimiter]) => ((await write(rows, { delimiter })) as { text: string }).text));
    const program = 'import csv, io\nresult = [list(csv.reader(io.StringIO(text, newline=""), delimiter=d)) for text, d in given]';
    const pairs = texts.map((text, index) => [text, tables[index]?.[1]]);
    expect(python(program, pairs)).to.deep.equal(tables.map(([rows]) => rows));
    for (const [index, text] of texts.entries()) {
      const [rows, delimiter] = tables[index] ?? [];
      const table = (await shared.toolkit.execute('convert_csv_to_json', {
        text,
        delimiter,
        header: false,
        infer_types: false,
      })) as unknown as Table;
      expect(table.rows).to.deep.equal(rows);
    }
  });

  const refused: readonly { readonly rows: unknown; readonly says: string }[] = [
    { rows: [{ a: 1 }, [1]], says: '"rows[1]": expected an object like the rows before' },
    { rows: [[1], [2], { a: 1 }], says: '"rows[2]": expected a list like the rows before' },
    { rows: [{ a: 2 ** 53 }], says: 'rows[0].a is the integer' },
    { rows: [{ a: '\uD800' }], says: 'half of a surrogate pair' },
    { rows: [1], says: 'rows[0] expected object or array' },
    { rows: {}, says: 'rows expected array' },
  ];
  for (const { rows, says } of refused) {
    it(`refuses ${JSON.stringify(rows)}`, async () => {
      const error = await rejection(write(rows), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
    });
  }

  it('refuses a result over its limit', async () => {
    await rejection(write([{ a: 'x'.repeat(8_400_000) }]), 'OUTPUT_TOO_LARGE');
  });
});

/** Tables of texts that are easily got wrong, with a delimiter and a line end. */
function randomTables(count: number): [rows: string[][], delimiter: string, end: string][] {
  const random = randomNumbers(4180);
  const fields = ['', 'a', 'Grüße', ' x ', '"', '""', 'a"b', ',', ';', '\t', 'x\ny', 'x\r\ny', '\r', '\n', '007', '1.5', "'", '世界'];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, () => {
    const width = 1 + Math.floor(random() * 4);
    const rows = Array.from({ length: 1 + Math.floor(random() * 5) }, () => Array.from({ length: width }, () => pick(fields)));
    return [rows, pick([',', ';', '\t']), pick(['\n', '\r\n'])];
  });
}
