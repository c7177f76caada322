import type { PostgresPoolConfig } from 'bullmq';
import type { ClientBase } from 'pg';
import { ToolkitError } from '../../kernel/index.ts';
import { readOnlyServer } from '../shared/state/lost-connection.ts';
import { keepaliveOptions } from '../shared/state/postgres-keepalive.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';
import type { DatabaseSockets } from './database-sockets.ts';

/** Returns the name of the queue for the workers of a tool set. */
export function queueNameOf(setId: string): string {
  return `toolkit-calls-${setId}`;
}

/** Database schema of BullMQ's tables: another application may use tables of its own BullMQ version. */
export const schemaName = 'toolkit_bullmq';

/** Maximum wait for a connection and for the answer to a statement, in milliseconds. */
const connectTimeoutMs = 5000;
export const answerTimeoutMs = 5000;

/** The same where tables may have to be created, which waits for other processes that do so. */
const migrationTimeoutMs = 10_000;

/** Additional time that a statement has on the server, which ends one whose client has given it up. In milliseconds. */
const graceMs = 4000;

/** Time in which connections may close in order, in milliseconds. */
export const closeTimeoutMs = 1000;

export interface ConnectionOptions {
  readonly sockets: DatabaseSockets;
  /** Maximum connections beside the one that listens. */
  readonly max: number;
  /** Creates the tables, or brings them to the version of this package. @default false */
  readonly migrate?: boolean;
}

/** Returns the connection of a queue or worker to one server. `url`: without a list of hosts. */
export function connectionOf(url: string, { sockets, max, migrate = false }: ConnectionOptions): PostgresPoolConfig {
  const timeoutMs = migrate ? migrationTimeoutMs : answerTimeoutMs;
  return {
    connectionString: url,
    schema: schemaName,
    migrate,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs + graceMs,
    keepAlive: true,
    options: keepaliveOptions,
    stream: sockets.create,
    onConnect: refuseReadOnly,
  };
}

/** Rejects for a server that does not write: a primary that is started again as a standby. */
async function refuseReadOnly(client: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ readonly value: string }>("select current_setting('transaction_read_only') as value");
  if (rows[0]?.value !== 'off') throw readOnlyServer();
}

export function queueUnavailable(url: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const message = `The queue of BullMQ in ${nameOfDatabase(url)} cannot be used: ${postgresProblem(error)}.`;
  return new ToolkitError('STATE_UNAVAILABLE', message, {}, { cause: error });
}

export function queueClosed(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The queue of BullMQ is closed, because the kernel is.', { retryable: false });
}
