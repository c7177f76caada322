import type { ExecutionResult, JsonObject, Logger } from '../../kernel/index.ts';
import type { RunExchange } from '../shared/code/exchange.ts';
import { codeModule, runsFromSource } from '../shared/project/layout.ts';
import { compileForThreads } from './compile-for-threads.ts';
import { logLateErrors } from './late-errors.ts';
import { type Job, type PoolLimits, WorkerPool } from './worker-pool.ts';
import { type ThreadSetup, WorkerThread } from './worker-thread.ts';

/**
 * Runs functions in worker threads. Functions of one owner share threads, and with them global state. Nothing is opened before
 * the first call.
 */
export class ThreadPool {
  readonly #limits: PoolLimits;
  readonly #logger: Logger;
  readonly #exchange: RunExchange | undefined;
  #opening: Promise<WorkerPool> | undefined;
  #pool: WorkerPool | undefined;
  #stopListening: () => void = () => {};

  constructor(limits: PoolLimits, logger: Logger, exchange: RunExchange | undefined) {
    this.#limits = limits;
    this.#logger = logger;
    this.#exchange = exchange;
  }

  get status(): JsonObject {
    return this.#pool?.status ?? { running: 0, idle: 0, waiting: 0, max: this.#limits.slots, callers: {} };
  }

  async run(job: Job): Promise<ExecutionResult> {
    this.#opening ??= this.#open();
    const resumeClock = job.context.pauseClock();
    const pool = await this.#opening.finally(resumeClock);
    return pool.run(job);
  }

  /** Makes later calls run in new threads, with the code as it is then. */
  async forget(): Promise<void> {
    await (await this.#opening)?.forget();
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
    this.#stopListening();
  }

  async #open(): Promise<WorkerPool> {
    const fileFor = runsFromSource ? await compileForThreads() : (file: string) => file;
    const { name: lateErrorChannel, close } = logLateErrors(this.#logger);
    this.#stopListening = close;
    const setup: ThreadSetup = {
      entry: fileFor(codeModule('plugins/executor-function/thread')),
      fileFor,
      lateErrorChannel,
      logger: this.#logger,
      exchange: this.#exchange,
      // A thread runs compiled code. It must not load the compiler of this process (`execArgv`), whose file reads could not be watched.
      ...(runsFromSource ? { execArgv: [] } : {}),
    };
    this.#pool = new WorkerPool({ ...this.#limits, spareWorkers: 1, idleMs: 60_000, start: () => new WorkerThread(setup) });
    return this.#pool;
  }
}
