import type { WorkflowQueue } from '@dbos-inc/dbos-sdk';
import { type Logger, ToolkitError } from '../../kernel/index.ts';
import { dbosLog } from './dbos-log.ts';
import { applicationName, applicationVersion, queueName, schemaName, workflowName } from './dbos-names.ts';
import { queueClosed, queueUnavailable } from './dbos-queue.ts';
import type { Dbos } from './load-dbos.ts';

/** Poll interval of DBOS's queue, in milliseconds. */
const pollIntervalMs = 40;

/** Time that DBOS gets at its end to write the state of workflows, in milliseconds. */
const shutdownTimeoutMs = 2000;

const connections = 5;

export interface DbosWorkerOptions {
  readonly dbos: () => Promise<Dbos>;
  readonly url: string;
  readonly logger: Logger;
  /** Unique id of this process; never reused. */
  readonly executor: string;
  /** Runs the job of a workflow. A job whose promise never resolves is left to other processes. */
  readonly run: (workflow: string, input: unknown) => Promise<void>;
}

/** The DBOS instance of this process, at most one. Runs up to `concurrency` workflows at the same time. */
export class DbosWorker {
  readonly #options: DbosWorkerOptions;
  #launching: Promise<WorkflowQueue> | undefined;
  #concurrency = 0;
  #isClosed = false;

  constructor(options: DbosWorkerOptions) {
    this.#options = options;
  }

  /** Sets the concurrency. Launches DBOS with the first one above 0. */
  async setConcurrency(concurrency: number): Promise<void> {
    this.#concurrency = concurrency;
    if (concurrency === 0 && this.#launching === undefined) return;
    if (this.#isClosed) throw queueClosed();
    this.#launching ??= this.#launch().catch((error: unknown) => {
      this.#launching = undefined;
      throw error;
    });
    (await this.#launching).workerConcurrency = this.#concurrency;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const launching = this.#launching;
    this.#launching = undefined;
    if ((await launching?.catch(() => undefined)) === undefined) return;
    const { DBOS } = await this.#options.dbos();
    await DBOS.shutdown({ workflowCompletionTimeoutMS: shutdownTimeoutMs, deregister: true });
  }

  async #launch(): Promise<WorkflowQueue> {
    const { dbos, url } = this.#options;
    const { DBOS, registerInternalQueue } = await dbos();
    if (DBOS.isInitialized()) throw alreadyRunningError();
    try {
      this.#register(DBOS);
    } catch (error) {
      // Another kernel of this process is launching it.
      throw alreadyRunningError(error);
    }
    try {
      const queue = registerInternalQueue(queueName, { workerConcurrency: 0, minPollingIntervalMs: pollIntervalMs });
      await DBOS.launch();
      return queue;
    } catch (error) {
      await DBOS.shutdown({ deregister: true }).catch(() => {});
      throw queueUnavailable(url, error);
    }
  }

  #register(DBOS: Dbos['DBOS']): void {
    const { url, logger, executor, run } = this.#options;
    DBOS.setConfig({
      name: applicationName,
      applicationVersion,
      executorID: executor,
      systemDatabaseUrl: url,
      systemDatabaseSchemaName: schemaName,
      systemDatabasePoolSize: connections,
      runMigrations: false,
      logger: dbosLog(logger),
    });
    DBOS.registerWorkflow((input: unknown) => run(DBOS.workflowID ?? '', input), { name: workflowName });
  }
}

function alreadyRunningError(cause?: unknown): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    'engine-dbos: DBOS runs in this process already, for another kernel or for the program itself, and it runs once in a process. Make durable calls in a process of their own, or with engineLocal().',
    {},
    { cause },
  );
}
