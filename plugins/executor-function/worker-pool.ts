import {
  type Call,
  type CallContext,
  type ExecutionResult,
  type JsonObject,
  type LaunchedProgram,
  ToolkitError,
} from '../../kernel/index.ts';
import type { CodeReference } from '../shared/code/code-module.ts';
import { waitToSpawn } from '../shared/process/spawn-gate.ts';
import { codeOwner } from './code-owner.ts';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';

export interface Job {
  readonly code: CodeReference;
  readonly call: Call;
  readonly context: CallContext;
  /** In place of those of the call, which then gives no secrets either. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** What is spawned for it. A worker runs only jobs of which this has one `key`. */
  readonly launched?: LaunchedProgram;
  /** It loads native libraries (`execution.native`). @default false */
  readonly isNative?: boolean | undefined;
  /** Ends it. @default that of the call */
  readonly signal?: AbortSignal;
}

/** What runs one job after the other, such as a thread. */
export interface PooledWorker {
  /** False as soon as the end has begun: no further job may be given to it. */
  readonly isAlive: boolean;
  readonly ended: Promise<void>;
  /** Ends when the worker is free again or gone, also when the call is aborted. `begins`: called when the function itself begins. */
  run(job: Job, begins: () => void): Promise<ExecutionResult>;
  /** `isLast`: the kernel closes, so that what cannot be ended is not waited for. */
  end(options?: { readonly isLast?: boolean }): Promise<void>;
}

/** What the plugin's options say of a pool. */
export interface PoolLimits extends FairQueueOptions {
  /** Called right before a job is given to a worker. Throws where the job must not run. */
  readonly beforeRun?: (job: Job) => void;
}

export interface WorkerPoolOptions extends PoolLimits {
  /** Starts one for this job and others with its key. */
  readonly start: (job: Job) => PooledWorker;
  /** Jobs of one key may have the same worker, one after the other. @default the owner of the code */
  readonly keyOf?: (job: Job) => string;
  /** How many are started beyond `places` while calls wait, so that the next call need not wait for its start as well. */
  readonly spare: 0 | 1;
  /** An idle one ends after so long. @default never */
  readonly idleMs?: number;
}

interface IdleWorker {
  readonly worker: PooledWorker;
  readonly key: string;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * Workers that are reused for the code of one owner (or what else `keyOf` says), and replaced when they end. Where there are as many as may be, the one that is idle
 * longest ends. Waiting and starting do not count as time of the tool.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue: FairQueue;
  readonly #all = new Set<PooledWorker>();
  /** The longest idle first. */
  readonly #idle: IdleWorker[] = [];
  /** Those with code of before: they end with their job. */
  readonly #stale = new WeakSet<PooledWorker>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options);
  }

  /** For the operator: it names callers. */
  get status(): JsonObject {
    const running = [...this.#queue.shares.values()].reduce((sum, share) => sum + share.running, 0);
    const callers = Object.fromEntries([...this.#queue.shares].map(([name, share]) => [name, { ...share }]));
    return { running, idle: this.#idle.length, waiting: this.#queue.waiting, max: this.#options.places, callers };
  }

  async run(job: Job): Promise<ExecutionResult> {
    const { call, context, signal = context.signal } = job;
    const begins = context.pauseClock();
    try {
      const key = `${this.#options.keyOf?.(job) ?? codeOwner(call.tool)}${job.launched?.key ?? ''}`;
      const turn = this.#queue.enter(context.tenant, signal);
      if (this.#queue.waiting > 0) void this.#startAhead(key, job).catch(() => {});
      const free = await turn;
      const worker = await this.#workerFor(key, job).catch((error: unknown) => {
        free();
        throw error;
      });
      try {
        // The code may have been changed while the call waited.
        this.#options.beforeRun?.(job);
        return await worker.run(job, begins);
      } finally {
        void this.#scheduleRetry(worker, key).finally(free);
      }
    } finally {
      begins();
    }
  }

  /** Calls from now on run in new workers, with the code as it is then. */
  async forget(): Promise<void> {
    for (const worker of this.#all) this.#stale.add(worker);
    await Promise.all([...this.#idle].map((idle) => this.#endIdle(idle)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#all].map((worker) => worker.end({ isLast: true })));
  }

  /** There is a place for it, so that one is idle where there are as many as may be. */
  async #workerFor(key: string, job: Job): Promise<PooledWorker> {
    let idle = this.#takeIdle(key);
    while (idle === undefined) {
      await waitToSpawn();
      idle = this.#takeIdle(key);
      const [longest] = this.#idle;
      if (idle !== undefined || longest === undefined || this.#all.size < this.#options.places) break;
      await this.#endIdle(longest);
    }
    if (idle !== undefined) return idle;
    (job.signal ?? job.context.signal).throwIfAborted();
    if (this.#isClosed) throw new ToolkitError('ABORTED', 'The kernel is closing.');
    return this.#start(job);
  }

  #takeIdle(key: string): PooledWorker | undefined {
    const found = this.#idle.findLast((idle) => idle.key === key && idle.worker.isAlive);
    if (found !== undefined) this.#remove(found);
    return found?.worker;
  }

  /** Where it cannot be started, the call that needs one starts it again, and says why. */
  async #startAhead(key: string, job: Job): Promise<void> {
    if (!this.#needsOneAhead(key)) return;
    await waitToSpawn();
    if (this.#needsOneAhead(key)) this.#keepIdle(this.#start(job), key);
  }

  #needsOneAhead(key: string): boolean {
    const { places, spare } = this.#options;
    return !this.#isClosed && this.#all.size < places + spare && !this.#idle.some((idle) => idle.key === key);
  }

  #start(job: Job): PooledWorker {
    const worker = this.#options.start(job);
    this.#all.add(worker);
    void worker.ended.then(() => {
      this.#all.delete(worker);
      const idle = this.#idle.find((one) => one.worker === worker);
      if (idle !== undefined) this.#remove(idle);
    });
    return worker;
  }

  async #scheduleRetry(worker: PooledWorker, key: string): Promise<void> {
    if (worker.isAlive && !this.#isClosed && !this.#stale.has(worker)) this.#keepIdle(worker, key);
    else await worker.end();
  }

  #keepIdle(worker: PooledWorker, key: string): void {
    const { idleMs } = this.#options;
    const timer = idleMs === undefined ? undefined : setTimeout(() => void this.#endIdle(idle), idleMs).unref();
    const idle: IdleWorker = { worker, key, timer };
    this.#idle.push(idle);
  }

  async #endIdle(idle: IdleWorker): Promise<void> {
    this.#remove(idle);
    await idle.worker.end();
  }

  #remove(idle: IdleWorker): void {
    clearTimeout(idle.timer);
    const index = this.#idle.indexOf(idle);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}
