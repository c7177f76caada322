import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, literal } from '../engine/identifier.ts';
import type { InputFile } from '../files/open-input.ts';
import { excerpt, Failure } from '../shared/failure.ts';

interface JsonFile {
  readonly file: InputFile;
  readonly isGzip: boolean;
  readonly isLines: boolean;
}

/** Loads JSON (a list of records, or one record) or JSON lines, plain or as gzip. Throws INVALID_PARAMETERS. */
export async function loadJson(connection: DuckDBConnection, table: string, { file, isGzip, isLines }: JsonFile): Promise<void> {
  const settings = [
    `format = ${isLines ? "'newline_delimited'" : "'auto'"}`,
    `compression = ${literal(isGzip ? 'gzip' : 'uncompressed')}`,
    'sample_size = -1',
    'map_inference_threshold = -1',
    'maximum_object_size = 134217728',
  ];
  const from = (more: readonly string[]): string => `read_json(${literal(file.devicePath)}, ${[...settings, ...more].join(', ')})`;
  try {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from([])}`);
    const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
    const exact = await exactColumns(connection, file, settings, columns);
    const typed =
      exact === undefined ? [] : [`columns = {${exact.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(', ')}}`];
    await connection.run(`CREATE TABLE ${table} AS SELECT * FROM ${from(typed)}`);
  } catch (error) {
    const message = excerpt(String((error as Error).message).replaceAll(file.devicePath, file.name), 160);
    throw new Failure('INVALID_PARAMETERS', `Cannot read "${excerpt(file.name)}" as ${isLines ? 'JSON lines' : 'JSON'}: ${message}`);
  }
}

interface JsonColumn {
  readonly name: string;
  readonly type: string;
}

/** Column type that would lose data, and the type that keeps it. */
interface Loss {
  readonly from: string;
  readonly to: string;
  /** Pattern in the JSON text of a value that would lose data. */
  readonly pattern: string;
}

const losses: readonly Loss[] = [
  // An integer of more than 15 digits would be rounded.
  { from: 'DOUBLE', to: 'VARCHAR', pattern: '(^|[\\[{:,\\s])-?[0-9]{16,}($|[\\]},\\s])' },
  // A time would lose its zone.
  { from: 'TIMESTAMP', to: 'TIMESTAMP WITH TIME ZONE', pattern: '[0-9](Z|[+-][0-9]{2}:?[0-9]{2})"' },
];

/** Returns the columns with types that lose no data; undefined when the detected types lose none. */
async function exactColumns(
  connection: DuckDBConnection,
  file: InputFile,
  settings: readonly string[],
  columns: readonly JsonColumn[],
): Promise<readonly JsonColumn[] | undefined> {
  const isRecords = columns.length !== 1 || columns[0]?.name !== 'json';
  const doubtful = columns.flatMap((column) => losses.flatMap((loss) => (holds(column.type, loss) ? [{ column, loss }] : [])));
  if (doubtful.length === 0 || !isRecords) return undefined;
  const raw = `read_json_objects(${literal(file.devicePath)}, ${settings.filter((one) => !/^(sample_size|map_inference)/.test(one)).join(', ')})`;
  const checks = doubtful.map(
    ({ column, loss }) =>
      `coalesce(bool_or(regexp_matches((json -> ${literal(`$.${identifier(column.name)}`)})::VARCHAR, ${literal(loss.pattern)})), false)`,
  );
  const [row = []] = (await connection.runAndReadAll(`SELECT ${checks.join(', ')} FROM ${raw}`)).getRows();
  const lost = doubtful.filter((_, index) => row[index] === true);
  if (lost.length === 0) return undefined;
  return columns.map((column) => {
    let { type } = column;
    for (const { loss } of lost.filter((one) => one.column === column)) type = type.replaceAll(words(loss.from), loss.to);
    return { name: column.name, type };
  });
}

function holds(type: string, { from }: Loss): boolean {
  return words(from).test(type);
}

function words(type: string): RegExp {
  return new RegExp(`\\b${type}\\b(?! WITH)`, 'g');
}
