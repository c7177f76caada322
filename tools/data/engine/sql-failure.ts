import type { LoadedTable } from '../load/loaded-table.ts';
import { excerpt, Failure } from '../shared/failure.ts';

/** Returns the message of the database without advice that the caller cannot follow. `tables`: tables that a statement can name. */
export function sqlFailure({ message }: Error, tables: readonly LoadedTable[]): Failure {
  const [first = ''] = message.split(/\n\n(?:Possible solution|Unused blocks|Database is launched)/i);
  const text = first.replace(/\s*LINE \d+:[\s\S]*$/, '');
  if (/^Out of Memory/i.test(text))
    return new Failure(
      'EXECUTION_FAILED',
      'The statement needs more than the 1 GB of memory that a query may use. Filter earlier, name fewer columns, or aggregate before joining.',
    );
  if (/file system operations are disabled|disabled by configuration|disabled through configuration/i.test(text))
    return new Failure(
      'INVALID_PARAMETERS',
      `sql reaches for a file or an extension itself. Name every file in "files"; each is a table there: ${excerpt(tables.map(({ name }) => name).join(', '))}.`,
    );
  return new Failure('BAD_REQUEST', `The statement failed: ${excerpt(text, 400)}`);
}
