import type { Queue } from 'bullmq';
import { excerpt, type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import { connectionOf, queueClosed, queueName, queueUnavailable } from './connection.ts';
import type { BullMq } from './load-bullmq.ts';
import { jobIdOf, type QueuedJob } from './queued-job.ts';

/** Largest priority number of BullMQ, which runs last. */
const maxPriority = 2 ** 21;

const connections = 3;

/** Maximum jobs of one statement. */
const batchSize = 500;

export interface JobQueueOptions {
  readonly bullmq: () => Promise<BullMq>;
  readonly url: string;
  readonly logger: Logger;
}

/** The BullMQ queue of jobs. Every method rejects with STATE_UNAVAILABLE when the database is away. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #queue = new LazyResource(() => this.#connect());
  /** Jobs of the next statement. */
  readonly #pending: Parameters<Queue['addBulk']>[0] = [];
  #next: Promise<void> | undefined;
  #adding: Promise<void> | undefined;

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  /** Creates the tables of BullMQ, if missing. */
  async open(): Promise<void> {
    await this.#request(async () => {});
  }

  /**
   * Adds jobs that may run from their `runAt` on. Adding a job that exists has no effect. `openCalls`: callers with fewer open calls go first.
   * Jobs that are added while a statement runs share the next one, so that many submissions at once do not wait for connections.
   */
  async add(jobs: readonly QueuedJob[], openCalls = 0): Promise<void> {
    if (jobs.length === 0) return;
    const now = Date.now();
    const priority = Math.min(openCalls, maxPriority);
    for (const job of jobs)
      this.#pending.push({
        name: 'call',
        data: {},
        opts: { jobId: jobIdOf(job), delay: Math.max(0, job.runAt - now), priority, removeOnComplete: true, removeOnFail: true },
      });
    this.#next ??= this.#addPending();
    await this.#next;
  }

  /** Removes a job, unless a worker has it. */
  async remove(job: QueuedJob): Promise<void> {
    await this.#request((queue) => queue.remove(jobIdOf(job)));
  }

  async close(): Promise<void> {
    await (await this.#queue.close(queueClosed()))?.close();
  }

  /** Adds the pending jobs after those that are being added now. */
  async #addPending(): Promise<void> {
    await this.#adding?.catch(() => {});
    const jobs = this.#pending.splice(0);
    this.#adding = this.#request(async (queue) => {
      for (let first = 0; first < jobs.length; first += batchSize) await queue.addBulk(jobs.slice(first, first + batchSize));
    });
    this.#next = undefined;
    await this.#adding;
  }

  async #connect(): Promise<Queue> {
    const { bullmq, url, logger } = this.#options;
    const { Queue, createPostgresBackend } = await bullmq();
    const queue = new Queue(queueName, { connection: connectionOf(url, { max: connections, migrate: true }) }, createPostgresBackend);
    queue.on('error', (error) => logger.debug(`BullMQ: ${excerpt(messageOf(error))}`));
    try {
      await queue.waitUntilReady();
      return queue as unknown as Queue;
    } catch (error) {
      await queue.close().catch(() => {});
      throw error;
    }
  }

  async #request<T>(work: (queue: Queue) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#queue.get());
    } catch (error) {
      throw queueUnavailable(this.#options.url, error);
    }
  }
}
