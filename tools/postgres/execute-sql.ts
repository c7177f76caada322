import type { CallConnection } from './connection.ts';
import { lostFailure } from './connection-failure.ts';
import { isConnectionLoss } from './connection-loss.ts';
import type { SqlCall, ToolContext } from './context.ts';
import { Failure } from './failure.ts';
import { fetchRows } from './fetch-rows.ts';
import { Interruption } from './interruption.ts';
import { maxConnections, Pools } from './pools.ts';
import { readSettings } from './read-settings.ts';
import { refuseStatement } from './refuse-statement.ts';
import { resultOf, type SqlAnswer, type SqlResult } from './result.ts';
import type { Settings } from './settings.ts';
import { retryStale, StaleConnection } from './stale-connection.ts';
import { statementFailure, timeFailure } from './statement-failure.ts';
import { begin, checkDeferred, commit } from './transaction.ts';
import { typesOf } from './types.ts';
import { jsonRows } from './values.ts';

/** Connections outlive a call, and a package has no other place for them. Emptied by `onClose`. */
const pools = new Pools();
const closePools = (): Promise<void> => pools.close();

/** Extra time after the server's own time limit before this side cancels the statement, in milliseconds. */
const graceMs = 500;

/** Runs postgres_execute_sql. */
export async function executeSql(call: SqlCall, context: ToolContext): Promise<SqlResult> {
  return withToolkitErrors(context, async () => {
    refuseStatement(call);
    const answer = await context.exchange('sql', call, () => withToolkitErrors(context, () => askServer(call, context)));
    return resultOf(answer, call);
  });
}

/** Runs the work and converts failures to errors of toolkit. */
async function withToolkitErrors<T>(context: ToolContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? context.error(error.code, error.message, error.details) : error;
  }
}

async function askServer(call: SqlCall, { secrets, signal, logger, onClose }: ToolContext): Promise<SqlAnswer> {
  const settings = readSettings(secrets);
  onClose(closePools);
  const warn = (): void => {
    if (settings.ignored.length > 0) logger.warn('parameters of POSTGRES_URL have no effect', { parameters: settings.ignored });
  };
  const attempt = (): Promise<SqlAnswer> => pools.use(settings, signal, warn, (connection) => runCall(connection, call, settings, signal));
  return retryStale(maxConnections, attempt);
}

/** Runs the statement in a transaction of its own. A read is rolled back, so that not even a notification is sent. */
async function runCall(connection: CallConnection, call: SqlCall, settings: Settings, signal: AbortSignal): Promise<SqlAnswer> {
  const startedAt = performance.now();
  let limitMs: number | undefined;
  const timeUp = (): Failure => timeFailure(limitMs ?? call.timeout_ms, call);
  const watch = new Interruption(signal, call.timeout_ms + graceMs, timeUp, () => connection.cancel());
  try {
    limitMs = await begin(connection, call);
    const fetched = await fetchRows(connection, call, () => watch.throwIfInterrupted());
    if (!connection.isInTransaction) throw endedFailure();
    const types = await typesOf(fetched.fields, connection);
    const answer = { ...fetched, rows: jsonRows(fetched.rows, types) };
    if (!call.read_only) await checkDeferred(connection);
    watch.throwIfInterrupted();
    // A commit is never cancelled: its outcome would be unknown.
    watch.end();
    if (!call.read_only) await commit(connection);
    return answer;
  } catch (error) {
    if (watch.reason !== undefined) throw watch.reason;
    if (limitMs === undefined && connection.wasUsed && isConnectionLoss(error)) throw new StaleConnection(lostFailure(settings));
    throw statementFailure(error, { call, settings, limitMs, elapsedMs: performance.now() - startedAt });
  } finally {
    watch.end();
  }
}

function endedFailure(): Failure {
  return new Failure(
    'BAD_REQUEST',
    'The statement ended the transaction of the call, which is not possible here. Send statements that read or change data.',
  );
}
