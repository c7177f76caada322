import type { Job, Worker } from 'bullmq';
import { excerpt, messageOf } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { isReadOnly } from '../shared/state/lost-connection.ts';
import type { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { closeTimeoutMs, connectionOf, queueNameOf, queueUnavailable } from './connection.ts';
import { DatabaseSockets } from './database-sockets.ts';
import type { BullMq } from './load-bullmq.ts';
import { type QueuedJob, readJobId } from './queued-job.ts';
import type { ToolSet } from './tool-sets.ts';

/** Delay until a job that cannot run now is brought again, in milliseconds. */
const putOffMs = 1000;

/** Delay until a job is brought again whose call only a later version of this program runs, in milliseconds. */
const laterVersionMs = 10_000;

/** Lock of a job, the search for expired ones, and the delay after a failed read, in milliseconds. They only bring calls. */
const lockMs = 6000;
const stalledIntervalMs = 3000;
const retryDelayMs = 1000;

const connections = 3;

export interface JobWorkerOptions extends DispatchParts {
  readonly bullmq: BullMq;
  /** URL for messages, with all hosts. */
  readonly url: string;
  readonly hosts: PostgresHosts;
  readonly set: ToolSet;
  readonly concurrency: number;
  readonly acceptsTool: (tool: string) => boolean;
  /** Called for an error of BullMQ, of one job or of its connections. */
  readonly onError: () => void;
}

/**
 * A BullMQ worker of this process, on the queue of one tool set. A job only names a run of a call; the call's record decides whether it runs. A
 * job that comes too early is put off. A job that comes twice or too late ends without effect.
 */
export class JobWorker {
  /** URL of its server. */
  readonly url: string;
  readonly #options: JobWorkerOptions;
  readonly #worker: Worker;
  readonly #sockets = new DatabaseSockets();
  readonly #running = new Set<Promise<unknown>>();
  #stopped: Promise<void> | undefined;

  private constructor(options: JobWorkerOptions) {
    const { bullmq, hosts, set, concurrency, logger, onError } = options;
    this.#options = options;
    this.url = hosts.current;
    const worker = new bullmq.Worker(
      queueNameOf(set.id),
      (job, token) => this.#handle(job, token),
      {
        connection: connectionOf(this.url, { sockets: this.#sockets, max: connections }),
        concurrency,
        autorun: false,
        lockDuration: lockMs,
        stalledInterval: stalledIntervalMs,
        // Without effect: the record counts attempts.
        maxStalledCount: 2 ** 31 - 1,
        runRetryDelay: retryDelayMs,
      },
      bullmq.createPostgresBackend,
    );
    worker.on('error', (error) => {
      logger.debug(`BullMQ: ${excerpt(messageOf(error))}`);
      this.#sockets.replaceAfter(error);
      if (isReadOnly(error)) hosts.leave(this.url);
      onError();
    });
    this.#worker = worker as unknown as Worker;
  }

  /** Opens a worker that takes jobs. Rejects with STATE_UNAVAILABLE. */
  static async open(options: JobWorkerOptions): Promise<JobWorker> {
    const opened = new JobWorker(options);
    try {
      await opened.#worker.waitUntilReady();
    } catch (error) {
      await opened.#worker.close(true).catch(() => {});
      throw queueUnavailable(options.url, error);
    }
    opened.#worker.run().catch((error: unknown) => options.logger.warn(`BullMQ takes no more durable calls: ${excerpt(messageOf(error))}`));
    return opened;
  }

  get runningCalls(): number {
    return this.#running.size;
  }

  set concurrency(concurrency: number) {
    this.#worker.concurrency = concurrency;
  }

  /** Resolves when fewer calls than this run. */
  async untilFewerThan(count: number): Promise<void> {
    while (this.#running.size >= count) await Promise.race(this.#running);
  }

  /** Takes no more jobs. Resolves when none of its calls runs. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const closing = this.#worker.close();
    await this.untilFewerThan(1);
    await this.#sockets.close(closing, closeTimeoutMs);
  }

  async #handle(job: Job, token: string | undefined): Promise<void> {
    const { logger } = this.#options;
    const named = readJobId(job.id);
    if (named === undefined) return;
    let retryAt: number | undefined;
    const run = this.#run(named);
    const ended = run.then(
      () => {},
      () => {},
    );
    this.#running.add(ended);
    try {
      retryAt = await run;
    } catch (error) {
      logger.warn(`a durable call waits until its store can be used: ${messageOf(error)}`);
      retryAt = Date.now() + putOffMs;
    } finally {
      this.#running.delete(ended);
    }
    if (retryAt === undefined) return;
    await job.moveToDelayed(retryAt, token);
    throw new this.#options.bullmq.DelayedError();
  }

  /** Runs the call that the job names. Returns the time at which the job must be brought again, epoch ms; undefined when it is over. */
  async #run(named: QueuedJob): Promise<number | undefined> {
    const { records, run, acceptsTool } = this.#options;
    const read = await records.readForWork(named.callKey);
    if (read === 'later') return Date.now() + laterVersionMs;
    if (read === undefined || read.record.runAt !== named.runAt || read.record.status !== 'waiting') return undefined;
    const { runAt, tool } = read.record;
    if (runAt > Date.now()) return runAt;
    if (this.#stopped !== undefined) return Date.now();
    // The definitions were reloaded, and this worker is about to leave the queue.
    if (!acceptsTool(tool)) return Date.now() + putOffMs;
    await run.claimAndRun(read);
    return undefined;
  }
}
