/** SQLSTATE read_only_sql_transaction. */
const readOnlyCode = '25006';

/** SQLSTATE of a connection that has ended, or is about to: class 08, and the shutdown codes of class 57. */
const endedCode = /^(08|57P)/;

/** Returns the error of a server that does not write, so that another one of the list is used. */
export function readOnlyServer(): Error {
  return Object.assign(new Error('the server is read-only: a standby, or one that was told to accept no changes'), { code: readOnlyCode });
}

/** Returns true for the refusal of a change by a server that does not write. */
export function isReadOnly(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === readOnlyCode;
}

/** Returns false for an answer of the server after which its connection goes on, and true for any other error, such as a connection that ended. */
export function isConnectionLost(error: unknown): boolean {
  // Only an answer of PostgreSQL has a severity.
  const { code = '', severity } = (error ?? {}) as { readonly code?: string; readonly severity?: string };
  return severity === undefined || isReadOnly(error) || endedCode.test(code);
}
