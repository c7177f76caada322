import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal } from './identifier.ts';

interface ColumnType {
  readonly type: string;
  /** Pattern of texts that may have this type. A column in which such a text is invalid, such as 2026-02-30, stays text. */
  readonly pattern: string;
}

/** Types in the order in which they are tried. A number with a leading zero (a postcode, an article number) is text. */
const types: readonly ColumnType[] = [
  { type: 'BIGINT', pattern: '-?(0|[1-9][0-9]{0,18})' },
  { type: 'HUGEINT', pattern: '-?(0|[1-9][0-9]{0,37})' },
  { type: 'DOUBLE', pattern: '-?(0|[1-9][0-9]{0,14})?(\\.[0-9]{1,17})?([eE][+-]?[0-9]{1,3})?' },
  { type: 'BOOLEAN', pattern: '(?i)true|false' },
  { type: 'DATE', pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}' },
  { type: 'TIMESTAMP', pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?' },
  {
    type: 'TIMESTAMPTZ',
    pattern: '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)',
  },
];

/** Number of rows that narrow down the types before all rows are checked. */
const sampleRows = 1000;

/**
 * Replaces a table of texts by one in which each column has the first type that fits every text in it. An empty column, or one
 * with different kinds of text, stays text. Ambiguous texts such as 01/02/2026 and 1,5 stay text.
 */
export async function giveTypes(connection: DuckDBConnection, table: string, names: readonly string[]): Promise<void> {
  const sample = `(SELECT * FROM ${table} LIMIT ${sampleRows})`;
  let candidates = new Map(names.map((name) => [name, types]));
  candidates = await fitting(connection, sample, candidates);
  const found = new Map<string, string>();
  while (candidates.size > 0) {
    // Usually the first candidate fits, so one pass over the rows is enough; more are rare.
    const first = new Map([...candidates].map(([name, [type]]) => [name, type === undefined ? [] : [type]]));
    const fits = await fitting(connection, table, first);
    for (const [name, [type]] of fits) if (type !== undefined) found.set(name, type.type);
    const rest = [...candidates].flatMap(([name, left]) => (found.has(name) || left.length <= 1 ? [] : [[name, left.slice(1)] as const]));
    candidates = new Map(rest);
  }
  if (found.size === 0) return;
  const columns = names.map((name) =>
    found.has(name) ? `CAST(${identifier(name)} AS ${found.get(name)}) AS ${identifier(name)}` : identifier(name),
  );
  await connection.run(`CREATE OR REPLACE TABLE ${table} AS SELECT ${columns.join(', ')} FROM ${table}`);
}

/** Returns for each column the candidates that fit all its texts; none for a column without text. */
async function fitting(
  connection: DuckDBConnection,
  from: string,
  candidates: ReadonlyMap<string, readonly ColumnType[]>,
): Promise<Map<string, readonly ColumnType[]>> {
  const checks = [...candidates].flatMap(([name, left]) =>
    left.map(({ type, pattern }) => {
      const column = identifier(name);
      const test = `regexp_full_match(${column}, ${literal(pattern)}) AND TRY_CAST(${column} AS ${type}) IS NOT NULL`;
      return { name, type, sql: `count(${column}) > 0 AND bool_and(${column} IS NULL OR (${column} <> '' AND ${test}))` };
    }),
  );
  const fits = new Map<string, ColumnType[]>();
  if (checks.length === 0) return fits;
  const [row = []] = (await connection.runAndReadAll(`SELECT ${checks.map(({ sql }) => sql).join(', ')} FROM ${from}`)).getRows();
  for (const [index, { name, type }] of checks.entries()) {
    const kind = row[index] === true ? types.find((one) => one.type === type) : undefined;
    if (kind !== undefined) fits.set(name, [...(fits.get(name) ?? []), kind]);
  }
  return fits;
}
