import { python } from '../support/python.ts';
import { writeFiles } from '../support/temporary.ts';
import { runJob } from './run-job.ts';

interface Country {
  readonly name: string;
  readonly zones: number;
}

/** Countries with their number of time zones, the one with most first. */
runJob<readonly Country[]>({
  number: 5,
  title: 'join two CSV files and count by group',
  maxTokens: 2500,
  async prepare(folder, random) {
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
    const codes = Array.from({ length: 249 }, (_, index) => `${letters[Math.floor(index / 26)]}${letters[index % 26]}`);
    const countries = codes.map(
      (code) => `${code},"${code.toLowerCase()}land, ${random.oneOf(['North', 'South', 'Upper'])}",${random.between(1, 9e6)}`,
    );
    const zones = Array.from({ length: 418 }, (_, index) => `${random.oneOf(codes)},Area/City_${index},${random.between(-12, 14)}`);
    await writeFiles(folder, {
      'countries.csv': `code,name,population\n${countries.join('\n')}\n`,
      'zones.csv': `country,zone,offset\n${zones.join('\n')}\n`,
    });
  },
  async steps(client) {
    const query = await client.tool('data_query', 'join two CSV files');
    for (const table of ['countries', 'zones'])
      await query.call({ sql: `SELECT * FROM ${table} LIMIT 2`, files: [{ path: `${table}.csv` }] });
    const { rows } = await query.call<{ rows: readonly [string, number][] }>({
      sql: 'SELECT c.name, count(*) AS zones FROM zones z JOIN countries c ON c.code = z.country GROUP BY ALL ORDER BY zones DESC, c.name LIMIT 10',
      files: [{ path: 'countries.csv' }, { path: 'zones.csv' }],
    });
    return rows.map(([name, zones]) => ({ name, zones }));
  },
  expected: (folder) =>
    python(
      [
        'import collections, csv',
        'names = {row["code"]: row["name"] for row in csv.DictReader(open(given + "/countries.csv", newline=""))}',
        'counts = collections.Counter(names[row["country"]] for row in csv.DictReader(open(given + "/zones.csv", newline="")))',
        'best = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:10]',
        'result = [{"name": name, "zones": count} for name, count in best]',
      ].join('\n'),
      folder,
    ),
});
