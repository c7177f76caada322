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
  /** Parameters that replace those of the call. The job then gets no secrets. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The program to spawn for the job. A worker runs only jobs with the same `key`. */
  readonly launched?: LaunchedProgram;
  /** True when the job loads native libraries (`execution.native`). @default false */
  readonly isNative?: boolean | undefined;
  /** Aborts the job. @default the signal of the call */
  readonly signal?: AbortSignal;
}

/** A worker that runs one job after the other, such as a thread. */
export interface PooledWorker {
  /** False as soon as the worker begins to end: no further job may be given to it. */
  readonly isAlive: boolean;
  readonly ended: Promise<void>;
  /** Runs a job. Settles when the worker is free again or gone, also after an abort. `begins`: called when the function itself begins. */
  run(job: Job, onBegin: () => void): Promise<ExecutionResult>;
  /** Ends the worker. `isLast`: the kernel closes, so a worker that cannot be ended is not awaited. */
  end(options?: { readonly isLast?: boolean }): Promise<void>;
}

/** The limits of a pool, from the plugin's options. */
export interface PoolLimits extends FairQueueOptions {
  /** Called right before a job is given to a worker. Throws where the job must not run. */
  readonly beforeRun?: (job: Job) => void;
}

export interface WorkerPoolOptions extends PoolLimits {
  /** Starts a worker for this job and others with its key. */
  readonly start: (job: Job) => PooledWorker;
  /** Returns the key of a job. Jobs with one key may use the same worker, one after the other. @default the owner of the code */
  readonly keyOf?: (job: Job) => string;
  /** Workers to start beyond `slots` while calls wait, so that the next call need not wait for a start as well. */
  readonly spareWorkers: 0 | 1;
  /** Idle time after which a worker ends, in milliseconds. @default never */
  readonly idleMs?: number;
}

interface IdleWorker {
  readonly worker: PooledWorker;
  readonly key: string;
  readonly timer: NodeJS.Timeout | undefined;
}

/**
 * A pool of workers. A worker is reused for jobs with the same key (by default the owner of the code) and replaced when it
 * ends. At the limit, the worker that is idle longest ends. Waiting and starting do not count as time of the tool.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #queue: FairQueue;
  readonly #workers = new Set<PooledWorker>();
  /** In this order: the longest idle first. */
  readonly #idle: IdleWorker[] = [];
  /** Workers with old code. They end after their job. */
  readonly #stale = new WeakSet<PooledWorker>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#queue = new FairQueue(options);
  }

  /** The state of the pool, for the operator: it names callers. */
  get status(): JsonObject {
    const running = [...this.#queue.shares.values()].reduce((sum, share) => sum + share.running, 0);
    const callers = Object.fromEntries([...this.#queue.shares].map(([name, share]) => [name, { ...share }]));
    return { running, idle: this.#idle.length, waiting: this.#queue.waiting, max: this.#options.slots, callers };
  }

  async run(job: Job): Promise<ExecutionResult> {
    const { call, context, signal = context.signal } = job;
    const resumeClock = context.pauseClock();
    try {
      const key = `${this.#options.keyOf?.(job) ?? codeOwner(call.tool)}${job.launched?.key ?? ''}`;
      const slot = this.#queue.acquire(context.tenant, signal);
      if (this.#queue.waiting > 0) void this.#startSpare(key, job).catch(() => {});
      const freeSlot = await slot;
      const worker = await this.#workerFor(key, job).catch((error: unknown) => {
        freeSlot();
        throw error;
      });
      try {
        // The code may have changed while the call waited.
        this.#options.beforeRun?.(job);
        return await worker.run(job, resumeClock);
      } finally {
        void this.#scheduleRetry(worker, key).finally(freeSlot);
      }
    } finally {
      resumeClock();
    }
  }

  /** Makes later calls run in new workers, with the code as it is then. */
  async forget(): Promise<void> {
    for (const worker of this.#workers) this.#stale.add(worker);
    await Promise.all([...this.#idle].map((idle) => this.#endIdle(idle)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#workers].map((worker) => worker.end({ isLast: true })));
  }

  /** Returns an idle worker with this key, or starts one. The job holds a slot, so a pool at its limit has an idle worker to end. */
  async #workerFor(key: string, job: Job): Promise<PooledWorker> {
    let idle = this.#takeIdle(key);
    while (idle === undefined) {
      await waitToSpawn();
      idle = this.#takeIdle(key);
      const [longest] = this.#idle;
      if (idle !== undefined || longest === undefined || this.#workers.size < this.#options.slots) break;
      await this.#endIdle(longest);
    }
    if (idle !== undefined) return idle;
    (job.signal ?? job.context.signal).throwIfAborted();
    if (this.#isClosed) throw new ToolkitError('ABORTED', 'The kernel is closing.');
    return this.#start(job);
  }

  #takeIdle(key: string): PooledWorker | undefined {
    const found = this.#idle.findLast((idle) => idle.key === key && idle.worker.isAlive);
    if (found !== undefined) this.#removeIdle(found);
    return found?.worker;
  }

  /** Starts a worker in advance. A failure is ignored: the call that needs the worker starts it again and reports the reason. */
  async #startSpare(key: string, job: Job): Promise<void> {
    if (!this.#needsSpare(key)) return;
    await waitToSpawn();
    if (this.#needsSpare(key)) this.#addIdle(this.#start(job), key);
  }

  #needsSpare(key: string): boolean {
    const { slots, spareWorkers } = this.#options;
    return !this.#isClosed && this.#workers.size < slots + spareWorkers && !this.#idle.some((idle) => idle.key === key);
  }

  #start(job: Job): PooledWorker {
    const worker = this.#options.start(job);
    this.#workers.add(worker);
    void worker.ended.then(() => {
      this.#workers.delete(worker);
      const idle = this.#idle.find((one) => one.worker === worker);
      if (idle !== undefined) this.#removeIdle(idle);
    });
    return worker;
  }

  async #scheduleRetry(worker: PooledWorker, key: string): Promise<void> {
    if (worker.isAlive && !this.#isClosed && !this.#stale.has(worker)) this.#addIdle(worker, key);
    else await worker.end();
  }

  #addIdle(worker: PooledWorker, key: string): void {
    const { idleMs } = this.#options;
    const timer = idleMs === undefined ? undefined : setTimeout(() => void this.#endIdle(idle), idleMs).unref();
    const idle: IdleWorker = { worker, key, timer };
    this.#idle.push(idle);
  }

  async #endIdle(idle: IdleWorker): Promise<void> {
    this.#removeIdle(idle);
    await idle.worker.end();
  }

  #removeIdle(idle: IdleWorker): void {
    clearTimeout(idle.timer);
    const index = this.#idle.indexOf(idle);
    if (index >= 0) this.#idle.splice(index, 1);
  }
}
