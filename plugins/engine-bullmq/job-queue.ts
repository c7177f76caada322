import type { Queue } from 'bullmq';
import { ToolkitError } from '../../kernel/index.ts';
import { isConnectionLost } from '../shared/state/lost-connection.ts';
import type { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { answerTimeoutMs, queueClosed, queueUnavailable } from './connection.ts';
import { priorityOf } from './job-priority.ts';
import { jobIdOf, type QueuedJob } from './queued-job.ts';
import { ServerQueue, type ServerQueueOptions, SilentServer } from './server-queue.ts';

/** Maximum jobs of one statement. */
const batchSize = 500;

/** Jobs from which one statement for all is cheaper: it creates temporary tables. */
const minBatch = 10;

/** Time limit of the removal of a queue, which takes many statements, in milliseconds. */
const removalTimeoutMs = 60_000;

export interface JobQueueOptions extends ServerQueueOptions {
  /** URL for messages, with all hosts. */
  readonly url: string;
  /** Its hosts. The queues and workers of a process share them. */
  readonly hosts: PostgresHosts;
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
  #server: ServerQueue | undefined;
  #isClosed = false;
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
    await this.#request((queue) => queue.obliterate({ force: true }), removalTimeoutMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#server?.close();
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

  /**
   * Runs work that may run twice, on the server in use. Where there are several, one that cannot be reached or does not write is left for the next,
   * and each is tried once, the first one again on new connections. A single one is asked again when it was silent.
   */
  async #request<T>(work: (queue: Queue) => Promise<T>, answerMs = answerTimeoutMs): Promise<T> {
    const { hosts, url } = this.#options;
    for (let retries = hosts.count; ; retries--) {
      const server = this.#current();
      try {
        return await server.request(work, answerMs);
      } catch (error) {
        const isRetried = hosts.count === 1 ? error instanceof SilentServer : isConnectionLost(error) && !ToolkitError.is(error);
        if (isRetried) hosts.leave(server.url);
        if (!isRetried || retries === 0) throw queueUnavailable(url, error);
      }
    }
  }

  /** Returns the queue on the server in use. Closes the one on a server that was left. */
  #current(): ServerQueue {
    if (this.#isClosed) throw queueClosed();
    const { hosts } = this.#options;
    if (this.#server?.url === hosts.current) return this.#server;
    void this.#server?.close().catch(() => {});
    this.#server = new ServerQueue(this.#setId, hosts.current, this.#options);
    return this.#server;
  }
}

function toBullMqJob(job: NewJob, now: number): BullMqJob {
  const { runAt, openCalls = 0 } = job;
  const delay = Math.max(0, runAt - now);
  const priority = priorityOf(runAt, openCalls);
  return { name: 'call', data: {}, opts: { jobId: jobIdOf(job), delay, priority, removeOnComplete: true, removeOnFail: true } };
}
