import { setTimeout as wait } from 'node:timers/promises';
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import { type Logger, type StateStore, ToolkitError } from '../../kernel/index.ts';
import type { Cipher } from '../shared/keys/cipher.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import { postgresProblem } from '../shared/state/postgres-problem.ts';
import { nameOfDatabase } from '../shared/state/postgres-url.ts';
import { dbosLog } from './dbos-log.ts';
import { applicationName, applicationVersion, queueName, schemaName, workflowName } from './dbos-names.ts';
import type { Dbos } from './load-dbos.ts';
import { encryptJob, type QueuedJob, workflowIdOf } from './queued-job.ts';

/** Maximum wait for an answer, in milliseconds: DBOS itself retries for as long as its database is away. */
const timeoutMs = 10_000;

/** Time to live of the migration lock, in milliseconds: a process that dies during the migration blocks others no longer. */
const migrationLockMs = 60_000;
const migrationLockKey = 'tables';

const connections = 3;
const pageSize = 1000;

export interface DbosQueueOptions {
  readonly dbos: () => Promise<Dbos>;
  readonly url: string;
  readonly cipher: Cipher;
  readonly state: StateStore;
  readonly logger: Logger;
}

/** A job that a process has taken, and may have orphaned. */
export interface TakenJob {
  readonly workflow: string;
  readonly executor: string;
}

/** The DBOS queue of jobs, for submitters and for the search for orphaned jobs. Every method rejects with STATE_UNAVAILABLE when the database is away. */
export class DbosQueue {
  readonly #options: DbosQueueOptions;
  readonly #client = new LazyResource(() => this.#connect());

  constructor(options: DbosQueueOptions) {
    this.#options = options;
  }

  /** Creates the tables of DBOS, if missing. */
  async open(): Promise<void> {
    await this.#client.get();
  }

  /** Queues a job that may run after `inMs` milliseconds; DBOS checks that once a second. Queuing the same job twice has no effect. */
  async put(job: QueuedJob, inMs: number): Promise<void> {
    const input = encryptJob(job, this.#options.cipher);
    await this.#request((client) =>
      client.enqueue(
        {
          queueName,
          workflowName,
          workflowID: workflowIdOf(job),
          appVersion: applicationVersion,
          priority: job.ahead,
          ...(inMs > 0 ? { delaySeconds: inMs / 1000 } : {}),
        },
        input,
      ),
    );
  }

  async drop(job: Omit<QueuedJob, 'ahead'>): Promise<void> {
    await this.#request((client) => client.cancelWorkflow(workflowIdOf(job)));
  }

  async taken(): Promise<readonly TakenJob[]> {
    const found = await this.#request((client) =>
      client.listWorkflows({ workflowName, status: 'PENDING', loadInput: false, loadOutput: false }),
    );
    return found.map(({ workflowID, executorId = '' }) => ({ workflow: workflowID, executor: executorId }));
  }

  /** Puts taken workflows back into the queue. */
  async resume(workflows: readonly string[]): Promise<void> {
    await this.#request((client) => client.resumeWorkflows([...workflows], { queueName }));
  }

  /** Removes jobs that ended before this time, epoch ms. */
  async forget(before: number): Promise<void> {
    const completedBefore = new Date(before).toISOString();
    for (;;) {
      const found = await this.#request((client) =>
        client.listWorkflows({ workflowName, completedBefore, limit: pageSize, loadInput: false, loadOutput: false }),
      );
      if (found.length > 0) await this.#request((client) => client.deleteWorkflows(found.map(({ workflowID }) => workflowID)));
      if (found.length < pageSize) return;
    }
  }

  async close(): Promise<void> {
    await (await this.#client.close(queueClosed()))?.destroy();
  }

  async #connect(): Promise<DBOSClient> {
    const { dbos, url, logger } = this.#options;
    const { DBOSClient, migrate } = await dbos();
    const log = dbosLog(logger);
    await this.#withMigrationLock(() => migrate(url, log, schemaName));
    return DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: schemaName,
      systemDatabasePoolSize: connections,
      applicationName,
      logger: log,
    });
  }

  /** Runs the migration under a lock: concurrent migrations fail with "deadlock detected" of PostgreSQL. */
  async #withMigrationLock(work: () => Promise<void>): Promise<void> {
    const { state } = this.#options;
    while (!(await state.compareAndSet(migrationLockKey, undefined, '', { ttlMs: migrationLockMs }))) await wait(100);
    try {
      await work();
    } finally {
      await state.delete(migrationLockKey);
    }
  }

  async #request<T>(work: (client: DBOSClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await this.#client.get();
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} seconds`)), timeoutMs);
      });
      return await Promise.race([work(client), timeout]);
    } catch (error) {
      throw queueUnavailable(this.#options.url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function queueClosed(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The queue of DBOS is closed, because the kernel is.', { retryable: false });
}

export function queueUnavailable(url: string, error: unknown): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const message = `The queue of DBOS in ${nameOfDatabase(url)} cannot be used: ${postgresProblem(error)}.`;
  return new ToolkitError('STATE_UNAVAILABLE', message, {}, { cause: error });
}
