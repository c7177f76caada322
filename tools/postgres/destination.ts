import type { SqlCall, ToolContext } from './context.ts';
import { Failure } from './failure.ts';
import { readSettings, shownAddress } from './read-settings.ts';

/** Returns the server and the database of a call, for the approval question. */
export function destination(_call: SqlCall, { secrets, error }: ToolContext): string {
  try {
    const { host, port, database } = readSettings(secrets);
    return `${shownAddress(host, port)}, database ${database}`;
  } catch (failure) {
    throw failure instanceof Failure ? error(failure.code, failure.message, failure.details) : failure;
  }
}
