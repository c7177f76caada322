import type { StateEntry, StateStore } from '../../kernel/index.ts';
import { readQueueKey } from '../shared/calls/queue-keys.ts';
import type { JobQueue, NewJob } from './job-queue.ts';

/** Age from which a due call is missed, and from which it is late, in milliseconds. */
const dueForMs = 2000;
const lateForMs = 7000;

const pageSize = 200;

export interface MissingJobsOptions {
  readonly state: StateStore;
  readonly queue: JobQueue;
  readonly acceptsTool: (tool: string) => boolean;
}

/**
 * Adds jobs for calls that wait and have none in the queue of a worker: they were submitted before a worker with their tool was known, their
 * submitter died after it wrote the record, BullMQ lost one that was put off (taskforcesh/bullmq 4814), somebody removed it, or another engine
 * stored the call. The first sweep reads all waiting calls, each later one a page of them.
 */
export class MissingJobs {
  readonly #options: MissingJobsOptions;
  #cursor: string | undefined;
  /** True when all waiting calls were read once. */
  #isWhole = false;
  /** Caller of the last call read, and its calls so far. */
  #caller = { hash: '', calls: 0 };

  constructor(options: MissingJobsOptions) {
    this.#options = options;
  }

  /** Resolves to the number of late calls in the last page: the worker could have run them, and no job of them came. */
  async sweep(): Promise<number> {
    let late = await this.#sweepPage();
    while (!this.#isWhole && this.#cursor !== undefined) late = await this.#sweepPage();
    this.#isWhole = true;
    return late;
  }

  async #sweepPage(): Promise<number> {
    const { state, queue } = this.#options;
    const page = await state.list('queue/', { limit: pageSize, ...(this.#cursor === undefined ? {} : { after: this.#cursor }) });
    const now = Date.now();
    const jobs = page.flatMap((entry) => this.#jobOf(entry) ?? []);
    await queue.add(this.#isWhole ? jobs.filter(({ runAt }) => runAt < now - dueForMs) : jobs);
    this.#cursor = page.length < pageSize ? undefined : page.at(-1)?.key;
    return jobs.filter(({ runAt }) => runAt < now - lateForMs).length;
  }

  #jobOf({ key, value }: StateEntry): NewJob | undefined {
    const entry = readQueueKey(key);
    if (entry === undefined) return undefined;
    const { callerHash, callKey, runAt } = entry;
    const openCalls = callerHash === this.#caller.hash ? this.#caller.calls + 1 : 0;
    this.#caller = { hash: callerHash, calls: openCalls };
    return this.#options.acceptsTool(value) ? { callKey, runAt, openCalls } : undefined;
  }
}
