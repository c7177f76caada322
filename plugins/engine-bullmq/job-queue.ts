import type { Queue } from 'bullmq';
import { excerpt, type Logger, messageOf } from '../../kernel/index.ts';
import { LazyResource } from '../shared/state/lazy-resource.ts';
import { answerTimeoutMs, closeTimeoutMs, connectionOf, queueClosed, queueNameOf, queueUnavailable } from './connection.ts';
import { DatabaseSockets } from './database-sockets.ts';
import { priorityOf } from './job-priority.ts';
import type { BullMq } from './load-bullmq.ts';
import { jobIdOf, type QueuedJob } from './queued-job.ts';

const connections = 3;

/** Maximum jobs of one statement. */
const batchSize = 500;

/** Jobs from which one statement for all is cheaper: it creates temporary tables. */
const minBatch = 10;

/** Time limit of the removal of a queue, which takes many statements, in milliseconds. */
const removalTimeoutMs = 60_000;

/** Events of BullMQ that its table keeps. None of ours reads them. */
const maxEvents = 1000;

export interface JobQueueOptions {
  readonly bullmq: () => Promise<BullMq>;
  readonly url: string;
  readonly logger: Logger;
}

/** A job to add. `openCalls`: unfinished calls of its caller. @default 0 */
export interface NewJob extends QueuedJob {
  readonly openCalls?: number;
}

type BullMqJob = Parameters<Queue['addBulk']>[0][number];

/** The BullMQ queue of jobs for the workers of one tool set. Every method rejects with STATE_UNAVAILABLE when the database is away. */
export class JobQueue {
  readonly #setId: string;
  readonly #options: JobQueueOptions;
  readonly #queue = new LazyResource(() => this.#connect());
  readonly #sockets = new DatabaseSockets();
  /** Jobs of the next statement. */
  readonly #pending: BullMqJob[] = [];
  #next: Promise<void> | undefined;
  #adding: Promise<void> | undefined;

  constructor(setId: string, options: JobQueueOptions) {
    this.#setId = setId;
    this.#options = options;
  }

  /** Creates the tables of BullMQ, if missing. */
  async open(): Promise<void> {
    await this.#request(async () => {});
  }

  /** Resolves when the database answers. */
  async probe(): Promise<void> {
    await this.#request((queue) => queue.isPaused());
  }

  /**
   * Adds jobs that may run from their `runAt` on. Adding a job that exists has no effect. Jobs that are added while a statement runs share the next
   * one, so that many submissions at once do not wait for connections.
   */
  async add(jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const now = Date.now();
    for (const job of jobs) this.#pending.push(toBullMqJob(job, now));
    this.#next ??= this.#addPending();
    await this.#next;
  }

  /** Removes a job, unless a worker has it. */
  async remove(job: QueuedJob): Promise<void> {
    await this.#request((queue) => queue.remove(jobIdOf(job)));
  }

  /** Ends a pause, which somebody else or an interrupted removal has begun. */
  async resume(): Promise<void> {
    await this.#request((queue) => queue.resume());
  }

  /** Removes the queue with all its jobs. */
  async obliterate(): Promise<void> {
    await this.#request((queue) => queue.obliterate({ force: true }), { answerMs: removalTimeoutMs });
  }

  async close(): Promise<void> {
    const queue = await this.#queue.close(queueClosed());
    if (queue !== undefined) await this.#sockets.close(queue.close(), closeTimeoutMs);
  }

  /** Adds the pending jobs after those that are being added now. */
  async #addPending(): Promise<void> {
    await this.#adding?.catch(() => {});
    const jobs = this.#pending.splice(0);
    this.#adding = this.#addAll(jobs);
    this.#next = undefined;
    await this.#adding;
  }

  async #addAll(jobs: readonly BullMqJob[]): Promise<void> {
    if (jobs.length < minBatch) {
      await this.#request((queue) => Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts))));
      return;
    }
    for (let first = 0; first < jobs.length; first += batchSize)
      await this.#request((queue) => queue.addBulk(jobs.slice(first, first + batchSize)));
  }

  async #connect(): Promise<Queue> {
    const { bullmq, url, logger } = this.#options;
    const { Queue, createPostgresBackend } = await bullmq();
    const connection = connectionOf(url, { sockets: this.#sockets, max: connections, migrate: true });
    const queue = new Queue(queueNameOf(this.#setId), { connection, streams: { events: { maxLen: maxEvents } } }, createPostgresBackend);
    queue.on('error', (error) => logger.debug(`BullMQ: ${excerpt(messageOf(error))}`));
    try {
      await queue.waitUntilReady();
      return queue as unknown as Queue;
    } catch (error) {
      await queue.close().catch(() => {});
      throw error;
    }
  }

  /**
   * Runs work that may run twice. Its connections have the limit of a migration: they are destroyed when the answer takes longer than it may,
   * and the work runs again on new ones.
   */
  async #request<T>(work: (queue: Queue) => Promise<T>, { answerMs = answerTimeoutMs, isRepeated = false } = {}): Promise<T> {
    let isSilent = false;
    let timer: NodeJS.Timeout | undefined;
    try {
      const queue = await this.#queue.get();
      timer = setTimeout(() => {
        isSilent = true;
        this.#sockets.destroy();
      }, answerMs);
      return await work(queue);
    } catch (error) {
      this.#sockets.replaceAfter(error);
      if (isSilent && !isRepeated) return await this.#request(work, { answerMs, isRepeated: true });
      throw queueUnavailable(this.#options.url, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function toBullMqJob(job: NewJob, now: number): BullMqJob {
  const { runAt, openCalls = 0 } = job;
  const delay = Math.max(0, runAt - now);
  const priority = priorityOf(runAt, openCalls);
  return { name: 'call', data: {}, opts: { jobId: jobIdOf(job), delay, priority, removeOnComplete: true, removeOnFail: true } };
}
