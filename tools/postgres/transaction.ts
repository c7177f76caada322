import type { CallConnection } from './connection.ts';
import { isConnectionLoss } from './connection-loss.ts';
import type { SqlCall } from './context.ts';
import { Failure } from './failure.ts';

/** Maximum time between two messages in a transaction, in milliseconds. Only this process is waited for. */
const idleTimeoutMs = 60_000;

/** Time after which the outcome of a COMMIT counts as unknown, in milliseconds. */
const commitTimeoutMs = 30_000;

/**
 * Opens the transaction of a call. Returns the server's time limit in milliseconds: `timeout_ms`, or a shorter `statement_timeout` of the role or
 * database. A call that may write obeys `default_transaction_read_only`.
 */
export async function begin(connection: CallConnection, { read_only: isReadOnly, timeout_ms: timeoutMs }: SqlCall): Promise<number> {
  // The query also takes the snapshot, after which no statement can make the transaction READ WRITE.
  const rows = await connection.command(`BEGIN${isReadOnly ? ' TRANSACTION READ ONLY' : ''};
    SELECT statement_ms,
      pg_catalog.set_config('statement_timeout', statement_ms::text, true),
      pg_catalog.set_config('idle_in_transaction_session_timeout', idle_ms::text, true),
      pg_catalog.set_config('datestyle', 'ISO', true),
      pg_catalog.set_config('intervalstyle', 'iso_8601', true),
      pg_catalog.set_config('bytea_output', 'hex', true),
      pg_catalog.set_config('extra_float_digits', '3', true)
    FROM (SELECT ${lowered('statement_timeout', timeoutMs)} AS statement_ms,
      ${lowered('idle_in_transaction_session_timeout', idleTimeoutMs)} AS idle_ms) AS limits`);
  return Number(rows[0]?.['statement_ms']);
}

/** Checks deferred constraints now, while the statement can still be cancelled and its outcome is known. */
export async function checkDeferred(connection: CallConnection): Promise<void> {
  await connection.command('SET CONSTRAINTS ALL IMMEDIATE');
}

/** Commits. Throws the error of the server; without an answer a failure that says that the change may have been made. */
export async function commit(connection: CallConnection): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), commitTimeoutMs);
  try {
    await connection.command('COMMIT');
  } catch (error) {
    // A server that shuts down may have committed before it reports that.
    if (!isConnectionLoss(error)) throw error;
    throw new Failure(
      'UPSTREAM_UNAVAILABLE',
      'The connection was lost while the change was being committed: it may have been made or not. Look before you repeat it.',
      { retryable: false, outcome: 'unknown' },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Returns SQL for the shorter of a limit and the setting, in milliseconds. 0 in the setting means no limit. */
function lowered(setting: string, limitMs: number): string {
  const ms = `(extract(epoch FROM pg_catalog.current_setting('${setting}')::interval) * 1000)::bigint`;
  return `least(${limitMs}, coalesce(nullif(${ms}, 0), ${limitMs}))`;
}
