import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { sharedDataToolkit } from './shared-data-toolkit.ts';

interface Description {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly columns: number }[];
  readonly columns: readonly Readonly<Record<string, unknown>>[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

describe('data_describe', () => {
  const run = sharedDataToolkit();

  async function fileWith(text: string): Promise<string> {
    const place = path.join(await temporaryFolder(), 'Some file-1.csv');
    await writeFile(place, text);
    return place;
  }

  it('says of each column its type, what is missing, its range and samples', async () => {
    const file = await fileWith('city,n,day\nBern,3,2026-01-02\nBasel,,2026-01-01\nBern,10,\n');
    expect(await run<Description>('data_describe', { path: file })).to.deep.equal({
      tables: [{ name: 'some_file_1', rows: 3, columns: 3 }],
      columns: [
        {
          table: 'some_file_1',
          name: 'city',
          type: 'VARCHAR',
          missing: 0,
          distinct: 2,
          min: 'Basel',
          max: 'Bern',
          samples: ['Bern', 'Basel'],
        },
        { table: 'some_file_1', name: 'n', type: 'BIGINT', missing: 1, distinct: 2, min: 3, max: 10, samples: [3, 10] },
        {
          table: 'some_file_1',
          name: 'day',
          type: 'DATE',
          missing: 1,
          distinct: 2,
          min: '2026-01-01',
          max: '2026-01-02',
          samples: ['2026-01-02', '2026-01-01'],
        },
      ],
      truncated: false,
    });
  });

  it('cuts long values, and describes a file without rows', async () => {
    const long = await run<Description>('data_describe', { path: await fileWith(`text\n${'x'.repeat(500)}\n`) });
    expect(long.columns[0]?.['samples']).to.deep.equal([`${'x'.repeat(79)}…`]);
    const empty = await run<Description>('data_describe', { path: await fileWith('a,b\n') });
    expect(empty.columns.map(({ name, min, samples }) => ({ name, min, samples }))).to.deep.equal([
      { name: 'a', min: null, samples: [] },
      { name: 'b', min: null, samples: [] },
    ]);
  });

  it('goes on at the column that next_offset names', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `c${index}`);
    const file = await fileWith(`${names.join(',')}\n${names.map(() => 1).join(',')}\n`);
    const from = await run<Description>('data_describe', { path: file, offset: 25 });
    expect(from.columns.map(({ name }) => name)).to.deep.equal(names.slice(25));
    expect(from.tables[0]?.columns).to.equal(40);
  });
});
