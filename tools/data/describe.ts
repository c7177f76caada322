import type { DuckDBConnection } from '@duckdb/node-api';
import { openDatabase } from './engine/database.ts';
import { identifier } from './engine/identifier.ts';
import { jsonValue } from './engine/json-value.ts';
import type { FileOptions } from './load/file-options.ts';
import { loadFile } from './load/load-file.ts';
import type { LoadedTable } from './load/loaded-table.ts';
import type { ToolContext } from './shared/context.ts';
import { excerpt, withFailures } from './shared/failure.ts';
import { pageOf } from './shared/page.ts';

interface DescribeParameters extends FileOptions {
  readonly samples: number;
  readonly offset: number;
}

interface DescribedColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Number of rows without a value. */
  readonly missing: number;
  /** Number of distinct values. */
  readonly distinct: number;
  readonly min: unknown;
  readonly max: unknown;
  readonly samples: readonly unknown[];
}

interface DescribeResult {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly columns: number }[];
  readonly columns: readonly DescribedColumn[];
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** Maximum length of the columns in a result without a budget, in characters. */
const maxCharacters = 1_000_000;

/** Characters reserved for the rest of the result. */
const besideColumns = 8000;

/** Maximum length of a sample value, in characters. */
const maxValue = 80;

/** Describes the tables of a file: their columns, with types, missing values, ranges and samples. */
export function describe({ samples, offset, ...file }: DescribeParameters, context: ToolContext): Promise<DescribeResult> {
  return withFailures(context, 'Describing the file', async () => {
    const database = await openDatabase();
    try {
      const { connection } = database;
      const loaded = await loadFile(connection, file);
      await database.lock();
      const tables = [];
      const all: { readonly table: LoadedTable; readonly name: string; readonly type: string }[] = [];
      for (const table of loaded) {
        const result = await connection.runAndReadAll(`SELECT * FROM ${table.sqlName} LIMIT 0`);
        const names = result.columnNames();
        for (const [index, name] of names.entries()) all.push({ table, name, type: String(result.columnType(index)) });
        const [[rows] = []] = (await connection.runAndReadAll(`SELECT count(*) FROM ${table.sqlName}`)).getRows();
        tables.push({ name: table.name, rows: Number(rows), columns: names.length });
      }
      const budget = context.output?.budget;
      const limit = budget === undefined ? maxCharacters : Math.max(2000, budget - besideColumns);
      const { items, end } = await pageOf(all, { offset, maxCharacters: limit }, (column) => describeColumn(connection, column, samples));
      return { tables, columns: items, ...end };
    } finally {
      database.close();
    }
  });
}

async function describeColumn(
  connection: DuckDBConnection,
  { table, name, type }: { readonly table: LoadedTable; readonly name: string; readonly type: string },
  samples: number,
): Promise<DescribedColumn> {
  const column = identifier(name);
  const from = table.sqlName;
  const [facts = []] = (
    await connection.runAndReadAll(
      `SELECT count(*) - count(${column}), count(DISTINCT ${column}), min(${column}), max(${column}) FROM ${from}`,
    )
  ).getRows();
  const [missing, distinct, min, max] = facts;
  const found = await connection.runAndReadAll(
    `SELECT value FROM (SELECT ${column} AS value, min(rowid) AS first FROM ${from} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY first LIMIT ${samples})`,
  );
  return {
    table: table.name,
    name,
    type,
    missing: Number(missing),
    distinct: Number(distinct),
    min: short(jsonValue(min)),
    max: short(jsonValue(max)),
    samples: found.getRows().map(([value]) => short(jsonValue(value))),
  };
}

/** Shortens a long text or a nested value to a sample. */
function short(value: unknown): unknown {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return typeof text === 'string' ? excerpt(text, maxValue) : text;
}
