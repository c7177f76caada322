import { type ExecutionResult, excerpt, type JsonObject, type Logger, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { codeModule, runsFromSource } from '../../shared/project/layout.ts';
import { codeOwner } from '../code-owner.ts';
import { compileForThreads } from '../compile-for-threads.ts';
import { type Job, type PoolLimits, WorkerPool } from '../worker-pool.ts';
import type { ChildSetup } from './child-worker.ts';
import { hasPath } from './has-path.ts';
import { readableFolder } from './readable-folder.ts';

/** JavaScript heap of a child process, in MB: as much as that of a worker thread. */
const heapMb = 512;

/** Other memory of a child process, in MB. */
const nativeMb = 150;

/** The same for a process that loads native libraries, which hold their data there. */
const nativeLibraryMb = 1536;

/** Idle time after which a child process ends, in milliseconds. */
const idleMs = 60_000;

/** Time until the next attempt after a process could not be started, in milliseconds: each attempt is slow. */
const retryDelayMs = 60_000;

type RunJob = (job: Job) => Promise<ExecutionResult>;

interface ProcessPoolOptions extends PoolLimits {
  readonly logger: Logger;
  /** Runs the job where no process can be started. */
  readonly fallback: RunJob;
}

/**
 * Runs functions in child processes, whose crash does not end this one (`worker: process`). A process serves the code of one
 * owner and one caller for its life. Nothing is imported or started before the first call.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  #opening: Promise<WorkerPool> | undefined;
  #pool: WorkerPool | undefined;
  #startFailure: { readonly reason: string; readonly failedAt: number } | undefined;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** The state of the pool. `refused`: the reason why no process could be started and threads do the work. */
  get status(): JsonObject {
    const status = this.#pool?.status ?? { running: 0, idle: 0, waiting: 0, max: this.#options.slots, callers: {} };
    return this.#startFailure === undefined ? status : { ...status, refused: this.#startFailure.reason };
  }

  /** Runs a job. Throws TOOL_INVALID for a whole tool with secrets: a child process gets none. */
  async run(job: Job): Promise<ExecutionResult> {
    if (job.parameters === undefined && job.call.credentials.size > 0) throw secretsError(job);
    if (this.#startFailure !== undefined && Date.now() - this.#startFailure.failedAt < retryDelayMs)
      return this.#runWithoutChild(job, this.#startFailure.reason);
    this.#opening ??= this.#open();
    const resumeClock = job.context.pauseClock();
    const pool = await this.#opening.finally(resumeClock);
    try {
      return await pool.run(job);
    } catch (error) {
      if (!isNoChild(error)) throw error;
      this.#recordStartFailure(messageOf(error));
      return this.#runWithoutChild(job, messageOf(error));
    }
  }

  /** Makes later calls run in new processes, with the code as it is then. */
  async forget(): Promise<void> {
    await (await this.#opening)?.forget();
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  /** Runs the job in a thread. Throws EXECUTION_FAILED for a native library, whose crash would end the server. */
  async #runWithoutChild(job: Job, reason: string): Promise<ExecutionResult> {
    if (job.isNative !== true) return this.#options.fallback(job);
    const message = `The tool "${job.call.tool.name}" runs in a child process alone, and none can be started (${excerpt(reason)}). "toolkit doctor" says what is missing.`;
    throw new ToolkitError('EXECUTION_FAILED', message, { tool: job.call.tool.name });
  }

  #recordStartFailure(reason: string): void {
    this.#startFailure = { reason: excerpt(reason), failedAt: Date.now() };
    const { logger } = this.#options;
    logger.warn('no child process can be started: threads process foreign data instead, and data that crashes a thread ends the server', {
      reason: excerpt(reason),
    });
  }

  async #open(): Promise<WorkerPool> {
    const { ChildWorker } = await import('./child-worker.ts');
    const fileFor = runsFromSource ? await compileForThreads() : (file: string) => file;
    const entry = fileFor(codeModule('plugins/executor-function/children/child'));
    const { logger } = this.#options;
    this.#pool = new WorkerPool({
      ...this.#options,
      spareWorkers: 0,
      idleMs,
      // A process keeps the user that it was started as.
      keyOf: (job) =>
        JSON.stringify([job.context.caller, codeOwner(job.call.tool), readableFolder(job), childLimits(job), process.geteuid?.()]),
      start: (job) => new ChildWorker({ entry, fileFor, heapMb, logger, ...childLimits(job) }, job),
    });
    return this.#pool;
  }
}

/**
 * Returns the limits of a child process. Only limits of the system restrict a native library, so a tool that writes no files
 * gets no right to write.
 */
function childLimits({ isNative, call: { tool } }: Job): Pick<ChildSetup, 'nativeMb' | 'loadsNative' | 'maxFileMb'> {
  if (isNative !== true) return { nativeMb };
  return { nativeMb: nativeLibraryMb, loadsNative: true, ...(hasPath(tool, 'write') ? {} : { maxFileMb: 0 }) };
}

function secretsError({ call: { tool } }: Job): ToolkitError {
  const message = `The tool "${tool.name}" says "worker: process" and "secrets": a child process gets no secrets. Take one of them out of the definition.`;
  return new ToolkitError('TOOL_INVALID', message, { tool: tool.name });
}

/** True when the error is a NoChild. Compared by name, because the class is not loaded before the first call. */
function isNoChild(error: unknown): boolean {
  return error instanceof Error && error.name === 'NoChild';
}
