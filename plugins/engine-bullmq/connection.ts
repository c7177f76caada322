import type { PostgresPoolConfig } from 'bullmq';
import { ToolkitError } from '../../kernel/index.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';

/** Returns the name of the queue for the workers of a tool set. */
export function queueNameOf(setId: string): string {
  return `toolkit-calls-${setId}`;
}

/** Database schema of BullMQ's tables: another application may use tables of its own BullMQ version. */
export const schemaName = 'toolkit_bullmq';

/** Maximum wait for a connection and for a statement, in milliseconds. */
const connectTimeoutMs = 5000;
const statementTimeoutMs = 10_000;

export interface ConnectionOptions {
  /** Maximum connections beside the one that listens. */
  readonly max: number;
  /** Creates the tables, or brings them to the version of this package. @default false */
  readonly migrate?: boolean;
}

/** Returns the connection of a queue or worker. */
export function connectionOf(url: string, { max, migrate = false }: ConnectionOptions): PostgresPoolConfig {
  return {
    connectionString: url,
    schema: schemaName,
    migrate,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    keepAlive: true,
  };
}

export function queueUnavailable(url: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const message = `The queue of BullMQ in ${nameOfDatabase(url)} cannot be used: ${postgresProblem(error)}.`;
  return new ToolkitError('STATE_UNAVAILABLE', message, {}, { cause: error });
}

export function queueClosed(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The queue of BullMQ is closed, because the kernel is.', { retryable: false });
}
