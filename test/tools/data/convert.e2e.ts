import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

interface Converted {
  readonly path: string;
  readonly format: string;
  readonly rows: number;
  readonly bytes: number;
}

describe('data_convert', () => {
  const run = sharedDataToolkit();
  const rowsOf = async (file: string): Promise<unknown> =>
    (await run<{ rows: unknown }>('data_query', { sql: 'SELECT * FROM out', files: [{ path: file }] })).rows;

  async function sales(): Promise<{ folder: string; files: readonly { path: string }[] }> {
    const folder = await temporaryFolder({ 'sales.csv': 'region,day,n\nN,2026-01-01,2\nS,2026-01-02,9007199254740993\n' });
    return { folder, files: [{ path: path.join(folder, 'sales.csv') }] };
  }

  for (const format of ['csv', 'tsv', 'json', 'jsonl', 'parquet'])
    it(`saves a table as ${format} that reads as the same table`, async () => {
      const { folder, files } = await sales();
      const to = path.join(folder, `out.${format}`);
      const result = await run<Converted>('data_convert', { files, to });
      expect(result).to.deep.equal({ path: to, format, rows: 2, bytes: (await readFile(to)).length });
      expect(await rowsOf(to)).to.deep.equal([
        ['N', '2026-01-01', 2],
        ['S', '2026-01-02', '9007199254740993'],
      ]);
      expect((await readdir(folder)).sort()).to.deep.equal([`out.${format}`, 'sales.csv']);
    });

  it('saves the result of a SELECT, also with a semicolon and a comment', async () => {
    const { folder, files } = await sales();
    const to = path.join(folder, 'out.csv');
    await run('data_convert', { files, to, sql: 'SELECT region, n * 2 AS twice FROM sales WHERE n < 10 -- small ones\n;' });
    expect(await readFile(to, 'utf8')).to.equal('region,twice\nN,4\n');
  });

  it('replaces a file only when it is told to', async () => {
    const { folder, files } = await sales();
    const to = path.join(folder, 'out.csv');
    await writeFile(to, 'kept');
    const { message } = await rejection(run('data_convert', { files, to }), 'INVALID_PARAMETERS');
    expect(message).to.include('overwrite: true');
    expect(await readFile(to, 'utf8')).to.equal('kept');
    await run('data_convert', { files, to, overwrite: true });
    expect(await readFile(to, 'utf8')).to.match(/^region,day,n\n/);
  });

  const refusals: readonly {
    readonly name: string;
    readonly parameters: (folder: string) => Readonly<Record<string, unknown>>;
    readonly code: 'INVALID_PARAMETERS' | 'BAD_REQUEST' | 'NOT_FOUND';
  }[] = [
    {
      name: 'a statement that ends the one around it',
      parameters: (folder) => ({ sql: `SELECT 1) TO '${folder}/evil.csv' (FORMAT csv); --`, to: `${folder}/out.csv` }),
      code: 'BAD_REQUEST',
    },
    {
      name: 'a second statement',
      parameters: (folder) => ({ sql: `SELECT 1; COPY (SELECT 7) TO '${folder}/evil.csv'`, to: `${folder}/out.csv` }),
      code: 'INVALID_PARAMETERS',
    },
    {
      name: 'a file that sql names itself',
      parameters: (folder) => ({ sql: `SELECT * FROM read_text('${folder}/sales.csv')`, to: `${folder}/out.csv` }),
      code: 'INVALID_PARAMETERS',
    },
    { name: 'a name that says no format', parameters: (folder) => ({ to: `${folder}/out.dat` }), code: 'INVALID_PARAMETERS' },
    { name: 'a folder that there is not', parameters: (folder) => ({ to: `${folder}/none/out.csv` }), code: 'NOT_FOUND' },
    { name: 'a way out through a link', parameters: (folder) => ({ to: `${folder}/outside/out.csv` }), code: 'INVALID_PARAMETERS' },
  ];
  for (const { name, parameters, code } of refusals)
    it(`refuses ${name}, and leaves nothing behind`, async () => {
      const { folder, files } = await sales();
      await symlink('/etc', path.join(folder, 'outside'));
      await rejection(run('data_convert', { files, ...parameters(folder) }), code);
      expect((await readdir(folder)).sort()).to.deep.equal(['outside', 'sales.csv']);
    });
});

describe('sheet_write', () => {
  const run = sharedDataToolkit();

  it('writes texts as texts, days as days, and nothing as a formula', async () => {
    const to = path.join(await temporaryFolder(), 'out.xlsx');
    const rows = [
      ['=1+1', '+1', '-1', '@x', '\t=1'],
      ['2026-02-28', '2026-02-30', '2026-02-28T10:00:00', 1.5, true],
      [null, '', 'ä', 0, false],
    ];
    await run('sheet_write', { path: to, sheets: [{ name: 'A', rows }] });
    const read = await run<{ rows: unknown[][] }>('sheet_read', { path: to });
    expect(read.rows[0]).to.deep.equal(['=1+1', '+1', '-1', '@x', '\t=1']);
    expect(read.rows[1]).to.deep.equal(['2026-02-28', '2026-02-30', '2026-02-28T10:00:00', 1.5, true]);
    expect(read.rows[2]?.slice(2)).to.deep.equal(['ä', 0, false]);
    const typed = await run<{ columns: { type: string }[] }>('data_query', {
      sql: 'SELECT * FROM t',
      files: [{ path: to, table: 't', skip_rows: 1, header: false }],
    });
    expect(typed.columns.map(({ type }) => type).slice(0, 1)).to.deep.equal(['DATE']);
  });

  const names: readonly { readonly name: string; readonly sheets: readonly string[] }[] = [
    { name: 'a sign that Excel refuses', sheets: ['a/b'] },
    { name: 'the same name twice', sheets: ['June', 'JUNE'] },
    { name: 'an apostrophe in front', sheets: ["'x"] },
  ];
  for (const { name, sheets } of names)
    it(`refuses sheet names with ${name}`, async () => {
      const to = path.join(await temporaryFolder(), 'out.xlsx');
      await rejection(
        run('sheet_write', { path: to, sheets: sheets.map((sheet) => ({ name: sheet, rows: [[1]] })) }),
        'INVALID_PARAMETERS',
      );
    });
});
