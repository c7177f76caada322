import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import Database from 'libsql';
import writeExcelFile from 'write-excel-file/node';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

interface Result {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Files with two rows, and what must come of them. */
const formats: readonly {
  readonly name: string;
  readonly file: string;
  readonly content: string | Buffer;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly rows: readonly (readonly unknown[])[];
  readonly types?: readonly string[];
}[] = [
  {
    name: 'CSV',
    file: 'a.csv',
    content: 'id,name\n1,x\n2,"y ""z"", w"\n',
    rows: [
      [1, 'x'],
      [2, 'y "z", w'],
    ],
    types: ['BIGINT', 'VARCHAR'],
  },
  { name: 'CSV with a byte order mark', file: 'a.csv', content: '\ufeffid,name\n1,x\n', rows: [[1, 'x']] },
  {
    name: 'CSV with semicolons and decimal commas',
    file: 'a.csv',
    content: 'id;v\n1;1,5\n2;2,5\n',
    rows: [
      [1, '1,5'],
      [2, '2,5'],
    ],
  },
  { name: 'CSV with a line break in quotes', file: 'a.csv', content: 'id,name\n1,"x\ny"\n', rows: [[1, 'x\ny']] },
  {
    name: 'CSV with zeros in front',
    file: 'a.csv',
    content: 'zip,n\n01234,1\n90210,2\n',
    rows: [
      ['01234', 1],
      ['90210', 2],
    ],
  },
  {
    name: 'CSV with integers past 2^53',
    file: 'a.csv',
    content: 'id\n9007199254740993\n1\n',
    rows: [['9007199254740993'], [1]],
    types: ['BIGINT'],
  },
  {
    name: 'CSV with integers of 30 digits',
    file: 'a.csv',
    content: 'id\n123456789012345678901234567890\n1\n',
    rows: [['123456789012345678901234567890'], [1]],
    types: ['HUGEINT'],
  },
  {
    name: 'CSV with days and times',
    file: 'a.csv',
    content: 'd,t,z\n2026-02-28,2026-02-28 10:00:00,2026-02-28T10:00:00+02:00\n',
    rows: [['2026-02-28', '2026-02-28T10:00:00', '2026-02-28T08:00:00.000Z']],
    types: ['DATE', 'TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
  },
  { name: 'CSV with a day that there is not', file: 'a.csv', content: 'd\n2026-02-30\n', rows: [['2026-02-30']], types: ['VARCHAR'] },
  { name: 'CSV with days that could be either', file: 'a.csv', content: 'd\n01/02/2026\n', rows: [['01/02/2026']], types: ['VARCHAR'] },
  {
    name: 'CSV with missing values',
    file: 'a.csv',
    content: 'a,b\n1,\n,x\n',
    rows: [
      [1, null],
      [null, 'x'],
    ],
  },
  {
    name: 'CSV with a number that turns up late',
    file: 'a.csv',
    content: `a\n${'1\n'.repeat(1500)}x\n`,
    rows: [...Array.from({ length: 1500 }, () => ['1']), ['x']],
    types: ['VARCHAR'],
  },
  {
    name: 'CSV without a header',
    file: 'a.csv',
    content: '1,x\n2,y\n',
    more: { header: false },
    rows: [
      [1, 'x'],
      [2, 'y'],
    ],
  },
  { name: 'CSV below a title', file: 'a.csv', content: 'Report\n\nid,name\n1,x\n', more: { skip_rows: 2 }, rows: [[1, 'x']] },
  { name: 'CSV with lines that begin with #', file: 'a.csv', content: 'id,name\n#1,x\n', rows: [['#1', 'x']] },
  { name: 'CSV with comments', file: 'a.csv', content: '# made by hand\nid,name\n# none\n1,x\n', more: { comment: '#' }, rows: [[1, 'x']] },
  { name: 'CSV with apostrophes', file: 'a.csv', content: "a,b\n'1',it's\n", rows: [["'1'", "it's"]] },
  { name: 'CSV whose columns stay texts', file: 'a.csv', content: 'a\n1\n', more: { all_text: true }, rows: [['1']] },
  {
    name: 'CSV in windows-1252',
    file: 'a.csv',
    content: latin1('name;n\nGr\xfc\x80e;1\n'),
    more: { encoding: 'windows-1252' },
    rows: [['Grü€e', 1]],
  },
  {
    name: 'CSV in Shift_JIS as gzip',
    file: 'a.csv.gz',
    content: gzipSync(Buffer.from([0x61, 0x0a, 0x83, 0x65, 0x0a])),
    more: { encoding: 'shift_jis' },
    rows: [['テ']],
  },
  { name: 'CSV in UTF-16 with a byte order mark', file: 'a.csv', content: Buffer.from('\ufeffid,n\n1,ä\n', 'utf16le'), rows: [[1, 'ä']] },
  { name: 'CSV as gzip', file: 'a.csv.gz', content: gzipSync('id,name\n1,x\n'), rows: [[1, 'x']] },
  { name: 'TSV', file: 'a.tsv', content: 'id\tname\n1\tx, y\n', rows: [[1, 'x, y']] },
  {
    name: 'JSON',
    file: 'a.json',
    content: '[{"id":1,"t":["x"],"o":{"a":null}},{"id":2}]',
    rows: [
      [1, ['x'], { a: null }],
      [2, null, null],
    ],
  },
  {
    name: 'JSON with integers past 2^64',
    file: 'a.json',
    content: '[{"id":79606071431014645771,"v":0.5},{"id":1}]',
    rows: [
      ['79606071431014645771', 0.5],
      ['1', null],
    ],
  },
  {
    name: 'JSON with such integers in a list',
    file: 'a.json',
    content: '[{"ids":[79606071431014645771, 1.5]}]',
    rows: [[['79606071431014645771', '1.5']]],
  },
  { name: 'JSON with numbers as texts', file: 'a.json', content: '[{"zip":"01234"}]', rows: [['01234']] },
  {
    name: 'JSON with times of a zone',
    file: 'a.json',
    content: '[{"t":"2026-02-28T10:00:00+02:00"}]',
    rows: [['2026-02-28T08:00:00.000Z']],
  },
  {
    name: 'JSON lines as gzip',
    file: 'a.jsonl.gz',
    content: gzipSync('{"id":1}\n{"id":2,"x":true}\n'),
    rows: [
      [1, null],
      [2, true],
    ],
  },
];

describe('data_query', () => {
  const run = sharedDataToolkit();

  async function ask(sql: string, file: string, content: string | Buffer, more: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    const place = path.join(await temporaryFolder(), file);
    await writeFile(place, content);
    return run<Result>('data_query', { sql, files: [{ path: place, ...more }], max_rows: 5000 });
  }

  for (const { name, file, content, more, rows, types } of formats)
    it(`reads ${name}`, async () => {
      const result = await ask('SELECT * FROM a', file, content, more);
      expect(result.rows).to.deep.equal(rows);
      expect(result.truncated).to.equal(false);
      if (types !== undefined) expect(result.columns.map(({ type }) => type)).to.deep.equal(types);
    });

  it('gives each value as JSON that loses nothing', async () => {
    const { rows } = await ask(
      `SELECT 1.10::DECIMAL(10,2), 170141183460469231731687303715884105727::HUGEINT, 'NaN'::DOUBLE, INTERVAL 3 DAYS, MAP {'k': 1}, 'ab'::BLOB, TIME '01:02:03',
       DATE 'infinity', TIMESTAMP_NS '2026-01-01 00:00:00.123456789', 'x'::ENUM ('x', 'y'), [1, NULL]`,
      'a.csv',
      'x\n1\n',
    );
    expect(rows).to.deep.equal([
      [
        '1.10',
        '170141183460469231731687303715884105727',
        'NaN',
        '3 days',
        [{ key: 'k', value: 1 }],
        'YWI=',
        '01:02:03',
        'infinity',
        '2026-01-01T00:00:00.123456789',
        'x',
        [1, null],
      ],
    ]);
  });

  it('reads sheets of a workbook and tables of SQLite under the name of the file', async () => {
    const folder = await temporaryFolder();
    const [book, base] = [path.join(folder, 'Plan 2026.xlsx'), path.join(folder, 'shop.db')];
    await writeExcelFile([
      {
        data: [
          ['name', 'n'],
          ['a', 1],
          ['b', 2.5],
        ],
        sheet: 'Q 1',
      },
      { data: [['day'], [{ value: new Date('2026-03-01T00:00:00Z'), format: 'yyyy-mm-dd' }]], sheet: 'Q2' },
    ]).toFile(book);
    const database = new Database(base);
    database.exec(
      "CREATE TABLE items (id INTEGER, name TEXT, raw BLOB); INSERT INTO items VALUES (9223372036854775807, 'a', x'00ff'), (1, 'b', NULL)",
    );
    database.close();
    const files = [{ path: book }, { path: base }];
    const joined = await run<Result>('data_query', {
      sql: 'SELECT p.name, p.n, i.id, i.raw FROM plan_2026."Q 1" p JOIN shop.items i USING (name) ORDER BY 1',
      files,
    });
    expect(joined.rows).to.deep.equal([
      ['a', 1, '9223372036854775807', 'AP8='],
      ['b', 2.5, 1, null],
    ]);
    expect((await run<Result>('data_query', { sql: 'SELECT * FROM plan_2026."Q2"', files })).rows).to.deep.equal([['2026-03-01']]);
  });

  it('reads a folder of logs as one table of lines', async () => {
    const folder = await temporaryFolder({
      'logs/b.log': '10:01 ERROR "x"\r\n\n10:05 ok\n',
      'logs/a.log': '11:00 ERROR y',
      'logs/a.log.old': '12:00 ERROR z\n',
      'logs/[1].txt': 'ERROR\n',
      'logs/.env': 'ERROR\n',
    });
    await symlink(path.join(folder, 'logs/a.log'), path.join(folder, 'logs/c.log'));
    const ask = (sql: string, pattern: string): Promise<Result> =>
      run<Result>('data_query', { sql, files: [{ path: path.join(folder, 'logs'), pattern }] });
    const { rows } = await ask('SELECT file, number, line FROM logs ORDER BY file, number', '?.log');
    expect(rows).to.deep.equal([
      ['a.log', 1, '11:00 ERROR y'],
      ['b.log', 1, '10:01 ERROR "x"'],
      ['b.log', 2, ''],
      ['b.log', 3, '10:05 ok'],
    ]);
    expect((await ask('SELECT file FROM logs', '[*].txt')).rows).to.deep.equal([['[1].txt']]);
    const { message } = await rejection(ask('SELECT * FROM logs', '.env*'), 'INVALID_PARAMETERS');
    expect(message).to.include('No file in');
  });

  it('makes one table of files with other columns, by their names', async () => {
    const folder = await temporaryFolder({ 'in/1.csv': 'a,b\n1,x\n', 'in/2.csv': 'b,c\ny,2026-01-01\n' });
    const { rows } = await run<Result>('data_query', {
      sql: 'SELECT a, b, c FROM t ORDER BY b',
      files: [{ path: `${folder}/in`, pattern: '*.csv', table: 't' }],
    });
    expect(rows).to.deep.equal([
      [1, 'x', null],
      [null, 'y', '2026-01-01'],
    ]);
  });

  it('gives every row once to one who goes on where truncated says so', async () => {
    const place = path.join(await temporaryFolder(), 'a.csv');
    await writeFile(place, `n,g\n${Array.from({ length: 2500 }, (_, n) => `${n},${n % 7}`).join('\n')}\n`);
    const seen: unknown[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page: Result = await run('data_query', {
        sql: 'SELECT n, count(*) FROM a GROUP BY n',
        files: [{ path: place }],
        max_rows: 900,
        offset,
      });
      seen.push(...page.rows.map(([n]) => n));
      expect(page.truncated).to.equal(page.next_offset !== undefined);
      offset = page.next_offset;
    }
    expect(seen.length).to.equal(2500);
    expect(new Set(seen).size).to.equal(2500);
  });

  const refusals: readonly {
    readonly name: string;
    readonly sql: string;
    readonly file: string;
    readonly content: string | Buffer;
    readonly says: RegExp;
  }[] = [
    { name: 'a statement with a mistake', sql: 'SELEC 1', file: 'a.csv', content: 'x\n1\n', says: /cannot be read.*syntax error/ },
    { name: 'a column that there is not', sql: 'SELECT y FROM a', file: 'a.csv', content: 'x\n1\n', says: /"y" not found/ },
    { name: 'a file in place of its table', sql: "SELECT x FROM 'a.csv'", file: 'a.csv', content: 'x\n1\n', says: /is a table there: a\./ },
    { name: 'a placeholder', sql: 'SELECT $1', file: 'a.csv', content: 'x\n1\n', says: /placeholders/ },
    {
      name: 'bytes that are no UTF-8',
      sql: 'SELECT * FROM a',
      file: 'a.csv',
      content: latin1('x\n\xe4\n'),
      says: /not UTF-8.*windows-1252/,
    },
    { name: 'a file that is none of the formats', sql: 'SELECT 1', file: 'a.bin', content: 'x', says: /Cannot tell.*"format"/ },
    { name: 'a name that lies about a format', sql: 'SELECT 1', file: 'a.parquet', content: 'x', says: /is no parquet file/ },
    { name: 'a broken Parquet file', sql: 'SELECT 1', file: 'a.parquet', content: 'PAR1 and nothing', says: /as Parquet/ },
    { name: 'a broken workbook', sql: 'SELECT 1', file: 'a.xlsx', content: 'PK\u0003\u0004 and nothing', says: /as an Excel workbook/ },
    { name: 'broken JSON', sql: 'SELECT 1', file: 'a.json', content: '[{"a":', says: /as JSON/ },
    { name: 'a broken SQLite file', sql: 'SELECT 1', file: 'a.db', content: 'SQLite format 3\0 and nothing', says: /as SQLite/ },
  ];
  for (const { name, sql, file, content, says } of refusals)
    it(`says what is wrong with ${name}`, async () => {
      const error = await ask(sql, file, content).then(
        () => expect.fail('it gave a result'),
        (thrown: Error) => thrown,
      );
      expect(error.message).to.match(says);
      expect(error.message).not.to.include('/dev/fd');
    });

  it('refuses two files that would be one table, and names the way out', async () => {
    const folder = await temporaryFolder({ 'a/x.csv': 'a\n1\n', 'b/x.csv': 'a\n2\n' });
    const files = [{ path: `${folder}/a/x.csv` }, { path: `${folder}/b/x.csv` }];
    const { message } = await rejection(run('data_query', { sql: 'SELECT 1', files }), 'INVALID_PARAMETERS');
    expect(message).to.include('another name in "table"');
    const named = [files[0], { ...files[1], table: 'y' }];
    expect((await run<Result>('data_query', { sql: 'SELECT sum(a) FROM (FROM x UNION ALL FROM y)', files: named })).rows).to.deep.equal([
      [3],
    ]);
  });

  it('ends a statement that needs more memory than there is, and the next call works', async () => {
    const { message } = await rejection(
      ask('SELECT count(*) FROM (SELECT DISTINCT repeat(range::VARCHAR, 40) FROM range(20000000))', 'a.csv', 'x\n1\n'),
      'EXECUTION_FAILED',
    );
    expect(message).to.include('1 GB of memory');
    expect((await ask('SELECT * FROM a', 'a.csv', 'x\n1\n')).rows).to.deep.equal([[1]]);
  });
});
