import type { SqlCall } from './context.ts';
import { excerpt } from './failure.ts';
import type { FetchedRows } from './fetch-rows.ts';
import { maxResultCharacters } from './row-buffer.ts';

/** The fetched rows with JSON values. */
export interface SqlAnswer extends Omit<FetchedRows, 'rows'> {
  readonly rows: readonly (readonly unknown[])[];
}

/** The result of the tool. Its output_schema describes the members. */
export interface SqlResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly row_count: number;
  readonly fields: readonly { readonly name: string; readonly data_type_id: number }[];
  readonly truncated: boolean;
  readonly command?: string;
  readonly note?: string;
}

/** Statements that affect only their session, which ends with the call. */
const sessionCommands = new Set([
  'SET',
  'RESET',
  'PREPARE',
  'DEALLOCATE',
  'DECLARE CURSOR',
  'LOCK TABLE',
  'SET CONSTRAINTS',
  'UNLISTEN',
  'LOAD',
  'DISCARD',
]);

export function resultOf(answer: SqlAnswer, call: SqlCall): SqlResult {
  const { fields, rows, cutBy, tag, largeInteger } = answer;
  const names = uniqueNames(fields.map(({ name }) => name));
  const command = /^[A-Z ]*[A-Z]/.exec(tag ?? '')?.[0];
  const notes = [
    ...(cutBy === undefined ? [] : [cutNote(answer, cutBy, call)]),
    ...(names.every((name, index) => name === fields[index]?.name)
      ? []
      : ['Columns of the same name have a number at the end; name them with AS.']),
    ...(largeInteger === undefined
      ? []
      : [`${excerpt(largeInteger)} went in as text, as integers beyond 2^53 do: give a document with such numbers as one JSON text.`]),
    ...(sessionCommands.has(command ?? '') ? ['Its effect has ended with this call: every call has a session of its own.'] : []),
  ];
  return {
    // Not by assignment, which would lose a column named __proto__.
    rows: rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], value]))),
    row_count: rowCount(answer, call),
    fields: fields.map(({ dataTypeID }, index) => ({ name: names[index] as string, data_type_id: dataTypeID })),
    truncated: cutBy !== undefined,
    ...(command === undefined ? {} : { command }),
    ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
  };
}

/** Makes names unique: a second `id` becomes `id_2`, or the next free number. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(names);
  const given = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; given.has(unique); number++) {
      const candidate = `${name}_${number}`;
      if (!taken.has(candidate)) unique = candidate;
    }
    given.add(unique);
    taken.add(unique);
    return unique;
  });
}

/**
 * Returns the number of returned rows, or of changed ones when the statement returns none. The tag is not enough: for a statement fetched in
 * batches it counts the last batch. For a read that stopped early the total is unknown.
 */
function rowCount({ fields, rows, seen, tag, cutBy }: SqlAnswer, { read_only: isReadOnly }: SqlCall): number {
  if (isReadOnly && cutBy !== undefined) return rows.length;
  return fields.length > 0 || seen > 0 ? seen : Number(/\d+$/.exec(tag ?? '')?.[0] ?? 0);
}

function cutNote({ rows, seen, tag }: SqlAnswer, cutBy: 'rows' | 'size', { max_rows: maxRows, read_only: isReadOnly }: SqlCall): string {
  const whole = tag === undefined ? '; there are more' : ` of ${seen}`;
  const limit = cutBy === 'rows' ? `max_rows is ${maxRows}` : `a result holds about ${maxResultCharacters / 1_000_000} MB`;
  const advice =
    cutBy === 'rows'
      ? 'Count or aggregate in SQL, or read on with ORDER BY and a condition on the last key.'
      : 'Select fewer columns or parts of them, such as left(column, 1000), or fewer rows.';
  return `Only the first ${rows.length} rows are here${whole}: ${limit}. ${isReadOnly ? advice : 'The statement ran to its end.'}`;
}
