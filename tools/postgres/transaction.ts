import type { OwnConnection } from './connection.ts';
import type { SqlCall } from './context.ts';
import { Failure } from './failure.ts';
import { isLoss } from './loss.ts';

/** What a connection may stay idle inside the transaction: only as long as this process needs between two messages. In milliseconds. */
const idleMs = 60_000;

/** What a COMMIT may take before its outcome counts as unknown, in milliseconds. */
const commitMs = 30_000;

/**
 * Opens the transaction of a call. Gives the time limit of the server in milliseconds: `timeout_ms`, or a shorter `statement_timeout` of
 * the role or database. A call that may write obeys `default_transaction_read_only`.
 */
export async function begin(connection: OwnConnection, { read_only: isReadOnly, timeout_ms: timeoutMs }: SqlCall): Promise<number> {
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
      ${lowered('idle_in_transaction_session_timeout', idleMs)} AS idle_ms) AS limits`);
  return Number(rows[0]?.['statement_ms']);
}

/** Has the server check what is left for the end of the transaction, as long as the statement can be stopped and its outcome is known. */
export async function checkDeferred(connection: OwnConnection): Promise<void> {
  await connection.command('SET CONSTRAINTS ALL IMMEDIATE');
}

/** Throws what the server says; when it says nothing, a failure that leaves open whether the change was made. */
export async function commit(connection: OwnConnection): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), commitMs);
  try {
    await connection.command('COMMIT');
  } catch (error) {
    // A server that is being stopped may have committed before it says so.
    if (!isLoss(error)) throw error;
    throw new Failure(
      'UPSTREAM_UNAVAILABLE',
      'The connection was lost while the change was being committed: it may have been made or not. Look before you repeat it.',
      { retryable: false, outcome: 'unknown' },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** SQL for the shorter of a limit and the setting, in milliseconds; 0 in the setting stands for none. */
function lowered(setting: string, limitMs: number): string {
  const ms = `(extract(epoch FROM pg_catalog.current_setting('${setting}')::interval) * 1000)::bigint`;
  return `least(${limitMs}, coalesce(nullif(${ms}, 0), ${limitMs}))`;
}
