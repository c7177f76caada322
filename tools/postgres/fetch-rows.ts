import { bindValues } from './bind-values.ts';
import type { CallConnection } from './connection.ts';
import type { SqlCall } from './context.ts';
import type { Answer } from './exchange.ts';
import { Failure } from './failure.ts';
import { largeIntegerIn } from './large-integer.ts';
import { RowBuffer } from './row-buffer.ts';
import type { Field, TextRow } from './wire.ts';

const firstBatch = 50;
const largestBatch = 2000;

export interface FetchedRows {
  readonly fields: readonly Field[];
  /** The rows within the limits. */
  readonly rows: readonly TextRow[];
  /** The limit that left rows out. */
  readonly cutBy: 'rows' | 'size' | undefined;
  /** Number of rows received, dropped ones included. */
  readonly seen: number;
  /** Command tag at the end of a statement, such as `INSERT 0 5`. Undefined when reading stopped before the end. */
  readonly tag: string | undefined;
  /** Path of a text in a JSON parameter that may have been an integer beyond 2^53. */
  readonly largeInteger?: string;
}

/**
 * Runs the statement in the open transaction, in batches, so that neither side buffers more than the limits allow. Reading stops at a limit. A
 * statement that may write runs to its end, because half of its effects is never what the caller meant; rows beyond a limit are dropped.
 * `check` runs before each batch and may throw.
 */
export async function fetchRows(connection: CallConnection, call: SqlCall, check: () => void): Promise<FetchedRows> {
  const { sql, params, max_rows: maxRows, read_only: isReadOnly } = call;
  const buffer = new RowBuffer(maxRows);
  const described = await connection.exchange((wire) => {
    wire.parse({ text: sql });
    wire.describe({ type: 'S' });
  });
  const values = bindValues(params, described.parameterTypes);
  const largeInteger = largeIntegerIn(params, described.parameterTypes);
  buffer.measure(described.fields);
  let answer: Answer | undefined;
  while (answer?.tag === undefined && !(isReadOnly && buffer.cutBy !== undefined)) {
    check();
    const isFirst = answer === undefined;
    const rows = isFirst ? Math.min(firstBatch, maxRows + 1) : nextBatch(buffer);
    answer = await connection.exchange(
      (wire) => {
        if (isFirst) wire.bind({ values });
        wire.execute({ rows });
      },
      (row) => buffer.add(row),
    );
    if (answer.isEmpty) throw new Failure('BAD_REQUEST', 'sql has no statement, only white space or comments. Write one statement.');
  }
  // Drops the other members of pg's columns.
  const fields = described.fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }));
  return {
    fields,
    rows: buffer.rows,
    cutBy: buffer.cutBy,
    seen: buffer.seen,
    tag: answer?.tag,
    ...(largeInteger === undefined ? {} : { largeInteger }),
  };
}

function nextBatch(buffer: RowBuffer): number {
  return buffer.cutBy === undefined ? Math.min(largestBatch, Math.max(1, buffer.expectedRows)) : largestBatch;
}
