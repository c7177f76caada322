import { setTimeout } from 'node:timers/promises';
import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { ReadRecord } from '../shared/calls/call-records.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import type { Cipher } from '../shared/keys/cipher.ts';
import type { DbosQueue } from './dbos-queue.ts';
import { decryptJob, type QueuedJob } from './queued-job.ts';

/** Delay until a job that cannot run now is checked again, in milliseconds. */
const recheckDelayMs = 1000;

/** Delay before the first recheck of a job whose call is not written as waiting yet, in milliseconds: the submitter queues the job first. */
const firstRecheckDelayMs = 25;

/** Number of checks after which the missing record is given up. */
const maxChecks = 60;

export interface JobRunnerOptions extends DispatchParts {
  readonly queue: DbosQueue;
  readonly cipher: Cipher;
}

/** A worker of this process. */
interface JobWorker {
  readonly acceptsTool: (tool: string) => boolean;
  readonly concurrency: number;
  readonly running: Set<Promise<void>>;
}

/** Result of checking a job: it is over, its call has changed, or it must be checked later. */
type CheckResult = 'over' | 'changed' | 'later';

/**
 * Runs the jobs that DBOS gives to this process. A job only names a call; the call's record decides what happens next, and in which process.
 * A job goes on until the record says that it is over.
 */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #workers = new Set<JobWorker>();
  /** Workflows that this process handles now. */
  readonly #handled = new Set<string>();
  #isClosed = false;
  /** True after the first warning about a foreign workflow: there may be many. */
  #hasWarned = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
  }

  /** Total concurrency of the workers of this process. */
  get concurrency(): number {
    if (this.#options.host.closing.aborted) return 0;
    return [...this.#workers].reduce((sum, { concurrency }) => sum + concurrency, 0);
  }

  /** Starts a worker. Returns a function that ends it, and resolves when none of its calls runs. */
  open(options: WorkOptions): () => Promise<void> {
    const { concurrency } = options;
    const worker = { concurrency, acceptsTool: createWorkFilter(options, this.#options.host), running: new Set<Promise<void>>() };
    this.#workers.add(worker);
    return async () => {
      this.#workers.delete(worker);
      await Promise.allSettled(worker.running);
    };
  }

  /** Leaves unfinished jobs to other processes. */
  close(): void {
    this.#isClosed = true;
  }

  /** True while this process handles the workflow. */
  has(workflow: string): boolean {
    return this.#handled.has(workflow);
  }

  /** Handles a workflow. Resolves when its job is over here. */
  async handle(workflow: string, input: unknown): Promise<void> {
    this.#handled.add(workflow);
    try {
      await this.#handle(workflow, input);
    } finally {
      this.#handled.delete(workflow);
    }
  }

  async #handle(workflow: string, input: unknown): Promise<void> {
    const { cipher, logger, queue } = this.#options;
    const job = decryptJob(input, workflow, cipher);
    if (job === undefined) {
      if (!this.#hasWarned)
        logger.warn(
          'workflows in the queue of durable calls are ignored: they were not made with the key of this host, or were changed. Give all processes the same TOOLKIT_KEY',
        );
      this.#hasWarned = true;
      return;
    }
    for (let hasFailed = false; ; ) {
      try {
        const result = await this.#check(job);
        if (result === 'over') return;
        if (result === 'later') return await queue.put({ ...job, looks: job.looks + 1 }, this.concurrency === 0 ? 0 : recheckDelayMs);
        hasFailed = false;
      } catch (error) {
        if (this.#isClosed) return never();
        if (!hasFailed) logger.warn(`a durable call waits until its store can be used: ${messageOf(error)}`);
        hasFailed = true;
        await setTimeout(recheckDelayMs, undefined, { ref: false });
      }
    }
  }

  async #check(job: QueuedJob): Promise<CheckResult> {
    const { records, run, process } = this.#options;
    const { place, runAt } = job;
    const read = await records.read(place);
    if (mayBeSubmitted(read, job)) return this.#awaitSubmission(job);
    if (read?.record.runAt !== runAt || read.record.status === 'asked') return 'over';
    const { status, tool, by = '' } = read.record;
    if (status === 'waiting') {
      const worker = [...this.#workers].find(({ acceptsTool, running, concurrency }) => acceptsTool(tool) && running.size < concurrency);
      if (worker === undefined || this.concurrency === 0) return 'later';
      await runOn(worker, run.claimAndRun(read));
      return 'changed';
    }
    if (status !== 'running') return 'over';
    // The call runs in a process that others take for dead, or in this process, which could not write how it ended.
    if (run.has(place) || (by !== process.id && (await process.isAlive(by)))) return 'later';
    await run.rescheduleOrphan(read);
    return 'changed';
  }

  /** Waits for the submitter, which queues the job before it writes that the call waits. */
  async #awaitSubmission(job: QueuedJob): Promise<CheckResult> {
    const { place, looks } = job;
    if (looks > 0) return looks < maxChecks ? 'later' : 'over';
    await setTimeout(firstRecheckDelayMs, undefined, { ref: false });
    return mayBeSubmitted(await this.#options.records.read(place), job) ? 'later' : 'changed';
  }
}

/** True while the record may still become the one that the job was queued for: it does after an approval, a run, or a rescheduled attempt. */
function mayBeSubmitted(read: ReadRecord | undefined, { runAt }: QueuedJob): boolean {
  return read === undefined || (read.record.runAt < runAt && !['waiting', 'completed'].includes(read.record.status));
}

async function runOn({ running }: JobWorker, work: Promise<void>): Promise<void> {
  running.add(work);
  try {
    await work;
  } finally {
    running.delete(work);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
