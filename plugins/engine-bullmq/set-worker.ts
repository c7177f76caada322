import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { Poll } from '../shared/calls/poll.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import type { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { AbandonedSets } from './abandoned-sets.ts';
import type { JobQueues } from './job-queues.ts';
import { JobWorker } from './job-worker.ts';
import type { BullMq } from './load-bullmq.ts';
import { MissingJobs } from './missing-jobs.ts';
import { type ToolSet, type ToolSets, toolSetOf } from './tool-sets.ts';
import { WorkerReport } from './worker-report.ts';

/** Intervals of the sweep for missing jobs and of announcements, in milliseconds. */
const sweepIntervalMs = 5000;
const announceIntervalMs = 2 * 60 * 1000;

/** Sweeps in a row that find late calls while none runs here, after which BullMQ's worker is replaced. */
const maxLateSweeps = 2;

export interface SetWorkerOptions extends DispatchParts {
  readonly bullmq: BullMq;
  /** URL for messages, with all hosts. */
  readonly url: string;
  readonly hosts: PostgresHosts;
  readonly work: WorkOptions;
  readonly sets: ToolSets;
  readonly queues: JobQueues;
}

/** Runs the calls of a worker's tools, from the queue of their set. Moves to another queue when a reload changes them. */
export class SetWorker {
  readonly #options: SetWorkerOptions;
  readonly #acceptsTool: (tool: string) => boolean;
  readonly #report: WorkerReport;
  readonly #abandoned: AbandonedSets;
  #set: ToolSet;
  #missing: MissingJobs;
  #worker: JobWorker | undefined;
  /** The worker before, as long as its calls run. */
  #old: JobWorker | undefined;
  #poll: Poll | undefined;
  #sweepAt = 0;
  #announceAt = 0;
  #lateSweeps = 0;
  #isSuspected = false;
  #stopped: Promise<void> | undefined;

  private constructor(options: SetWorkerOptions) {
    const { work, host, logger, sets, queues } = options;
    this.#options = options;
    this.#acceptsTool = createWorkFilter(work, host);
    this.#report = new WorkerReport(logger);
    this.#abandoned = new AbandonedSets(sets, queues);
    this.#set = this.#currentSet();
    this.#missing = this.#missingOf(this.#set);
  }

  /** Opens a worker that takes calls. Rejects with STATE_UNAVAILABLE. */
  static async open(options: SetWorkerOptions): Promise<SetWorker> {
    const opened = new SetWorker(options);
    try {
      await opened.#begin();
    } catch (error) {
      await opened.stop();
      throw error;
    }
    opened.#poll = new Poll(
      () => opened.#check(),
      (error) => options.logger.warn(`the search for durable calls without a job failed: ${messageOf(error)}`),
    );
    return opened;
  }

  /** Takes no more calls. Resolves when none of its calls runs. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    await Promise.all([this.#worker?.stop(), this.#poll?.close()]);
    // The last check may have opened another one.
    await Promise.all([this.#worker?.stop(), this.#old?.stop()]);
  }

  #currentSet(): ToolSet {
    return toolSetOf(this.#options.host.toolNames().filter(this.#acceptsTool));
  }

  #missingOf({ id }: ToolSet): MissingJobs {
    const { state, queues } = this.#options;
    return new MissingJobs({ state, queue: queues.of(id), acceptsTool: this.#acceptsTool });
  }

  /** Opens BullMQ's worker on the queue of the set, which others are told of. */
  async #begin(): Promise<void> {
    const { sets, queues, work } = this.#options;
    const set = this.#set;
    if (set.tools.size === 0) {
      this.#report.stopped('tools', 'it has none of the tools that it is to run');
      return;
    }
    await queues.of(set.id).open();
    this.#worker = await JobWorker.open({
      ...this.#options,
      set,
      concurrency: work.concurrency - (this.#old?.runningCalls ?? 0),
      acceptsTool: this.#acceptsTool,
      onError: () => {
        this.#isSuspected = true;
      },
    });
    await sets.announce(set);
    this.#announceAt = performance.now() + announceIntervalMs;
    this.#report.resumed('tools');
  }

  async #check(): Promise<void> {
    const isSweep = performance.now() >= this.#sweepAt;
    // A standby may have been promoted while nothing was asked of the server in use.
    await this.#checkQueue(isSweep && this.#options.hosts.count > 1);
    if (this.#stopped !== undefined) return;
    if (!this.#report.has('queue') && this.#worker !== undefined && this.#worker.url !== this.#options.hosts.current)
      await this.#replaceWorker();
    if (!isSweep) return;
    this.#sweepAt = performance.now() + sweepIntervalMs;
    await this.#followTools();
    if (this.#worker === undefined) return;
    if (performance.now() > this.#announceAt) {
      await this.#options.sets.announce(this.#set);
      this.#announceAt = performance.now() + announceIntervalMs;
    }
    const late = await this.#missing.sweep();
    await this.#abandoned.sweep();
    await this.#replaceDeaf(late);
  }

  /** Finds out whether the queue can be used, after an error of BullMQ's worker, and until it can. Goes on to the server that writes. */
  async #checkQueue(isSuspected: boolean): Promise<void> {
    if (!isSuspected && !this.#isSuspected && !this.#report.has('queue')) return;
    this.#isSuspected = false;
    try {
      await this.#options.queues.of(this.#set.id).probe();
      this.#report.resumed('queue');
    } catch (error) {
      this.#report.stopped('queue', messageOf(error));
    }
  }

  async #followTools(): Promise<void> {
    const set = this.#currentSet();
    const isSame = set.id === this.#set.id;
    if (isSame && (this.#worker !== undefined || set.tools.size === 0)) return;
    this.#set = set;
    if (!isSame) this.#missing = this.#missingOf(set);
    await this.#replaceWorker();
  }

  /** Replaces a worker that runs no calls although some are late: its connection that listens may be broken, or the queue paused. */
  async #replaceDeaf(late: number): Promise<void> {
    this.#lateSweeps = late > 0 && this.#worker?.runningCalls === 0 ? this.#lateSweeps + 1 : 0;
    if (this.#lateSweeps < maxLateSweeps) return;
    this.#lateSweeps = 0;
    this.#options.logger.warn('BullMQ has brought no durable calls although some wait: its connections are replaced');
    await this.#options.queues.of(this.#set.id).resume();
    await this.#replaceWorker();
  }

  /** Opens another worker. The calls of the old one go on, and count. Repeated after a failure, it opens what is missing. */
  async #replaceWorker(): Promise<void> {
    if (this.#worker !== undefined) await this.#retire(this.#worker);
    await this.#old?.untilFewerThan(this.#options.work.concurrency);
    if (this.#stopped === undefined) await this.#begin();
  }

  async #retire(worker: JobWorker): Promise<void> {
    await this.#old?.stop();
    this.#old = worker;
    this.#worker = undefined;
    void worker
      .stop()
      .catch(() => {})
      .then(() => {
        this.#old = undefined;
        if (this.#worker !== undefined) this.#worker.concurrency = this.#options.work.concurrency;
      });
  }
}
