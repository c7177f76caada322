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
import { sealedTurn, type Turn, workflowOf } from './turn.ts';

/** DBOS tries again for as long as its database is away; nobody waits longer for it, in milliseconds. */
const patienceMs = 10_000;

/** A process that makes the tables of DBOS holds up others no longer, in milliseconds, should it die. */
const makingMs = 60_000;
const makingKey = 'tables';

const connections = 3;
const pageSize = 1000;

export interface DbosQueueOptions {
  readonly dbos: () => Promise<Dbos>;
  readonly url: string;
  readonly cipher: Cipher;
  readonly state: StateStore;
  readonly logger: Logger;
}

/** A turn that a process has taken, and may have left behind. */
export interface TakenTurn {
  readonly workflow: string;
  readonly executor: string;
}

/** The queue of turns as who puts them there sees it, and who looks after them. Everything rejects with STATE_UNAVAILABLE where its database is away. */
export class DbosQueue {
  readonly #options: DbosQueueOptions;
  readonly #client = new LazyResource(() => this.#connect());

  constructor(options: DbosQueueOptions) {
    this.#options = options;
  }

  /** Makes the tables of DBOS, where there are none. */
  async open(): Promise<void> {
    await this.#client.get();
  }

  /** Not before `inMs` milliseconds, which DBOS looks at once a second. The same turn twice is one. */
  async put(turn: Turn, inMs: number): Promise<void> {
    const input = sealedTurn(turn, this.#options.cipher);
    await this.#ask((client) =>
      client.enqueue(
        {
          queueName,
          workflowName,
          workflowID: workflowOf(turn),
          appVersion: applicationVersion,
          priority: turn.ahead,
          ...(inMs > 0 ? { delaySeconds: inMs / 1000 } : {}),
        },
        input,
      ),
    );
  }

  async drop(turn: Omit<Turn, 'ahead'>): Promise<void> {
    await this.#ask((client) => client.cancelWorkflow(workflowOf(turn)));
  }

  async taken(): Promise<readonly TakenTurn[]> {
    const found = await this.#ask((client) =>
      client.listWorkflows({ workflowName, status: 'PENDING', loadInput: false, loadOutput: false }),
    );
    return found.map(({ workflowID, executorId = '' }) => ({ workflow: workflowID, executor: executorId }));
  }

  /** Has others take them. */
  async resume(workflows: readonly string[]): Promise<void> {
    await this.#ask((client) => client.resumeWorkflows([...workflows], { queueName }));
  }

  /** Removes turns that ended before then, epoch ms. */
  async forget(before: number): Promise<void> {
    const completedBefore = new Date(before).toISOString();
    for (;;) {
      const found = await this.#ask((client) =>
        client.listWorkflows({ workflowName, completedBefore, limit: pageSize, loadInput: false, loadOutput: false }),
      );
      if (found.length > 0) await this.#ask((client) => client.deleteWorkflows(found.map(({ workflowID }) => workflowID)));
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
    await this.#alone(() => migrate(url, log, schemaName));
    return DBOSClient.create({
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: schemaName,
      systemDatabasePoolSize: connections,
      applicationName,
      logger: log,
    });
  }

  /** Processes that make the tables at the same time get into each other's way: PostgreSQL ends one (deadlock detected). */
  async #alone(work: () => Promise<void>): Promise<void> {
    const { state } = this.#options;
    while (!(await state.compareAndSet(makingKey, undefined, '', { ttlMs: makingMs }))) await wait(100);
    try {
      await work();
    } finally {
      await state.delete(makingKey);
    }
  }

  async #ask<T>(work: (client: DBOSClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await this.#client.get();
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs / 1000} seconds`)), patienceMs);
      });
      return await Promise.race([work(client), late]);
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
