import { lostFailure } from './connection-failure.ts';
import { isConnectionLoss } from './connection-loss.ts';
import type { SqlCall } from './context.ts';
import { excerpt, Failure } from './failure.ts';
import { detailsOf, isServerError, type ServerError, serverFailure } from './server-error.ts';
import type { Settings } from './settings.ts';

export interface StatementContext {
  readonly call: SqlCall;
  readonly settings: Settings;
  /** Time limit of the server, in milliseconds. Undefined before it is set. */
  readonly limitMs: number | undefined;
  /** Time since the transaction was opened, in milliseconds. */
  readonly elapsedMs: number;
}

/**
 * Converts an error in the transaction of a call to the failure that the caller gets; the transaction is rolled back. An error that is not from
 * the server stays.
 */
export function statementFailure(error: unknown, { call, settings, limitMs, elapsedMs }: StatementContext): unknown {
  if (error instanceof Failure) return error;
  if (!isServerError(error)) return isConnectionLoss(error) ? lostFailure(settings) : error;
  // The error text is in the server's language, so the time tells this cancellation from one by another client.
  if (error.code === '57014' && limitMs !== undefined && elapsedMs >= limitMs - 10) return timeFailure(limitMs, call);
  if (error.code === '25006') return readOnlyFailure(error, call);
  return serverFailure(error, call.sql);
}

export function timeFailure(limitMs: number, { timeout_ms: timeoutMs }: SqlCall): Failure {
  const limit = limitMs < timeoutMs ? `the statement_timeout of the role or database, ${limitMs} ms` : `timeout_ms, ${limitMs} ms`;
  return new Failure(
    'TIMEOUT',
    `The statement was stopped at the limit of ${limit}. Nothing was changed. Read less, see with EXPLAIN what is slow, or raise the limit.`,
    { timeoutMs: limitMs },
  );
}

function readOnlyFailure(error: ServerError, { read_only: isReadOnly }: SqlCall): Failure {
  const advice = isReadOnly
    ? 'This call is read-only. If the change is wanted, send it with read_only: false, which needs approval.'
    : 'The role, the database or the whole server (a standby) allows only reading, whatever read_only says.';
  return new Failure(
    'BAD_REQUEST',
    `Nothing was changed. PostgreSQL says: ${excerpt(error.message)} (SQLSTATE 25006). ${advice}`,
    detailsOf(error),
  );
}
