import path from 'node:path';
import { expect } from 'chai';
import writeExcelFile from 'write-excel-file/node';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

interface Read {
  readonly sheet: string;
  readonly rows: readonly (readonly unknown[])[];
  readonly sheets: readonly { readonly name: string; readonly rows: number }[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

describe('sheet_read', () => {
  const run = sharedDataToolkit();

  async function workbook(): Promise<string> {
    const place = path.join(await temporaryFolder(), 'Plan.xlsx');
    const at = (time: string, format: string): { value: Date; format: string } => ({ value: new Date(time), format });
    await writeExcelFile([
      {
        data: [
          ['name', 'when', 'n'],
          ['=1+1', at('2026-03-01T00:00:00Z', 'yyyy-mm-dd'), 1],
          [null, at('2026-03-01T12:30:00Z', 'yyyy-mm-dd hh:mm'), 2.5],
          ['x', null, true],
        ],
        sheet: 'First',
      },
      { data: [['x'], [1]], sheet: 'Über 2' },
    ]).toFile(place);
    return place;
  }

  it('gives the cells of the first sheet, with dates as ISO 8601, and names all sheets', async () => {
    const { rows, sheets, sheet, truncated } = await run<Read>('sheet_read', { path: await workbook() });
    expect(rows).to.deep.equal([
      ['name', 'when', 'n'],
      ['=1+1', '2026-03-01', 1],
      [null, '2026-03-01T12:30:00', 2.5],
      ['x', null, true],
    ]);
    expect({ sheet, sheets, truncated }).to.deep.equal({
      sheet: 'First',
      sheets: [
        { name: 'First', rows: 4 },
        { name: 'Über 2', rows: 2 },
      ],
      truncated: false,
    });
  });

  it('reads a sheet by its name, and names those that there are', async () => {
    const file = await workbook();
    expect((await run<Read>('sheet_read', { path: file, sheet: 'Über 2' })).rows).to.deep.equal([['x'], [1]]);
    const { message } = await rejection(run('sheet_read', { path: file, sheet: 'Third' }), 'INVALID_PARAMETERS');
    expect(message).to.include('First, Über 2');
  });

  it('gives every row once to one who goes on at next_offset', async () => {
    const file = await workbook();
    const first = await run<Read>('sheet_read', { path: file, max_rows: 3 });
    expect([first.truncated, first.next_offset]).to.deep.equal([true, 3]);
    const rest = await run<Read>('sheet_read', { path: file, offset: 3 });
    expect(rest.rows).to.deep.equal([['x', null, true]]);
    expect(rest).not.to.have.property('next_offset');
  });
});
