import { python } from '../support/python.ts';
import { writeFiles } from '../support/temporary.ts';
import type { JobAnswer } from './job-client.ts';
import { runJob } from './run-job.ts';

interface GroupMean {
  readonly symbol: string;
  /** To six decimals, as sums of doubles depend on their order. */
  readonly mean: string;
}

const symbols = ['AAPL', 'AMZN', 'GOOG', 'IBM', 'MSFT'];
const months = 112;

runJob<readonly GroupMean[]>({
  number: 29,
  title: 'mean of a CSV column by group',
  maxTokens: 1500,
  async prepare(folder, random) {
    const rows = symbols.flatMap((symbol) =>
      Array.from({ length: months }, (_, month) => {
        const date = new Date(Date.UTC(2000, month)).toLocaleString('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
        return `${symbol},${date.replace(' ', ' 1 ')},${random.between(5_00, 750_00) / 100}`;
      }),
    );
    await writeFiles(folder, { 'stocks.csv': `symbol,date,price\n${rows.join('\n')}\n` });
  },
  async steps(client) {
    const query = await client.tool('data_query', 'mean of a column of a CSV file by group', 'signature');
    const files = [{ path: 'stocks.csv' }];
    // Its description, which the search shows in part, says which table a file is; so does the error of a statement that names the file.
    const table = client.exposure === 'all' ? 'stocks' : tableIn(await query.answer({ sql: "SELECT * FROM 'stocks.csv' LIMIT 3", files }));
    const { columns } = await query.call<{ columns: readonly { name: string }[] }>({ sql: `SELECT * FROM ${table} LIMIT 3`, files });
    const [group, , value] = columns.map(({ name }) => name);
    const { rows } = await query.call<{ rows: readonly [string, number][] }>({
      sql: `SELECT ${group}, avg(${value}) FROM ${table} GROUP BY 1 ORDER BY 1`,
      files,
    });
    return rows.map(([symbol, mean]) => ({ symbol, mean: mean.toFixed(6) }));
  },
  expected: (folder) =>
    python(
      [
        'import csv, statistics',
        'groups = {}',
        'for row in csv.DictReader(open(given + "/stocks.csv", newline="")):',
        '    groups.setdefault(row["symbol"], []).append(float(row["price"]))',
        'result = [{"symbol": name, "mean": f"{statistics.fmean(prices):.6f}"} for name, prices in sorted(groups.items())]',
      ].join('\n'),
      folder,
    ),
});

function tableIn({ text }: JobAnswer): string | undefined {
  return /each is a table there: (\w+)/.exec(text)?.[1];
}
