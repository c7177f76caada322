import { setTimeout } from 'node:timers/promises';
import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { ReadRecord } from '../shared/calls/call-records.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import type { Cipher } from '../shared/keys/cipher.ts';
import type { DbosQueue } from './dbos-queue.ts';
import { openTurn, type Turn } from './turn.ts';

/** Delay until a job that cannot run now is checked again, in milliseconds. */
const againMs = 1000;

/** Delay before the first recheck of a job whose call is not written as waiting yet, in milliseconds: the submitter queues the job first. */
const soonMs = 25;

/** Number of checks after which the missing record is given up. */
const mostLooks = 60;

export interface CallTurnsOptions extends DispatchParts {
  readonly queue: DbosQueue;
  readonly cipher: Cipher;
}

/** A worker of this process. */
interface Maker {
  readonly takes: (tool: string) => boolean;
  readonly concurrency: number;
  readonly running: Set<Promise<void>>;
}

/** Result of checking a job: it is over, its call has changed, or it must be checked later. */
type Look = 'over' | 'changed' | 'later';

/**
 * Runs the jobs that DBOS gives to this process. A job only names a call; the call's record decides what happens next, and in which process.
 * A job goes on until the record says that it is over.
 */
export class CallTurns {
  readonly #options: CallTurnsOptions;
  readonly #makers = new Set<Maker>();
  /** Workflows that this process handles now. */
  readonly #carried = new Set<string>();
  #isClosed = false;
  /** True after the first warning about a foreign workflow: there may be many. */
  #hasWarned = false;

  constructor(options: CallTurnsOptions) {
    this.#options = options;
  }

  /** Total concurrency of the workers of this process. */
  get concurrency(): number {
    if (this.#options.host.closing.aborted) return 0;
    return [...this.#makers].reduce((sum, { concurrency }) => sum + concurrency, 0);
  }

  /** Starts a worker. Returns a function that ends it, and resolves when none of its calls runs. */
  open(options: WorkOptions): () => Promise<void> {
    const { concurrency } = options;
    const maker = { concurrency, takes: createWorkFilter(options, this.#options.host), running: new Set<Promise<void>>() };
    this.#makers.add(maker);
    return async () => {
      this.#makers.delete(maker);
      await Promise.allSettled(maker.running);
    };
  }

  /** Leaves unfinished jobs to other processes. */
  close(): void {
    this.#isClosed = true;
  }

  /** True while this process handles the workflow. */
  has(workflow: string): boolean {
    return this.#carried.has(workflow);
  }

  /** Handles a workflow. Resolves when its job is over here. */
  async carry(workflow: string, input: unknown): Promise<void> {
    this.#carried.add(workflow);
    try {
      await this.#carry(workflow, input);
    } finally {
      this.#carried.delete(workflow);
    }
  }

  async #carry(workflow: string, input: unknown): Promise<void> {
    const { cipher, logger, queue } = this.#options;
    const turn = openTurn(input, workflow, cipher);
    if (turn === undefined) {
      if (!this.#hasWarned)
        logger.warn(
          'workflows in the queue of durable calls are ignored: they were not made with the key of this host, or were changed. Give all processes the same TOOLKIT_KEY',
        );
      this.#hasWarned = true;
      return;
    }
    for (let hasFailed = false; ; ) {
      try {
        const look = await this.#look(turn);
        if (look === 'over') return;
        if (look === 'later') return await queue.put({ ...turn, looks: turn.looks + 1 }, this.concurrency === 0 ? 0 : againMs);
        hasFailed = false;
      } catch (error) {
        if (this.#isClosed) return never();
        if (!hasFailed) logger.warn(`a durable call waits until its store can be used: ${messageOf(error)}`);
        hasFailed = true;
        await setTimeout(againMs, undefined, { ref: false });
      }
    }
  }

  async #look(turn: Turn): Promise<Look> {
    const { records, run, process } = this.#options;
    const { place, runAt } = turn;
    const read = await records.read(place);
    if (mayComeYet(read, turn)) return this.#awaited(turn);
    if (read?.record.runAt !== runAt || read.record.status === 'asked') return 'over';
    const { status, tool, by = '' } = read.record;
    if (status === 'waiting') {
      const maker = [...this.#makers].find(({ takes, running, concurrency }) => takes(tool) && running.size < concurrency);
      if (maker === undefined || this.concurrency === 0) return 'later';
      await runBy(maker, run.claimAndRun(read));
      return 'changed';
    }
    if (status !== 'running') return 'over';
    // The call runs in a process that others take for dead, or in this process, which could not write how it ended.
    if (run.has(place) || (by !== process.id && (await process.isAlive(by)))) return 'later';
    await run.rescheduleOrphan(read);
    return 'changed';
  }

  /** Waits for the submitter, which queues the job before it writes that the call waits. */
  async #awaited(turn: Turn): Promise<Look> {
    const { place, looks } = turn;
    if (looks > 0) return looks < mostLooks ? 'later' : 'over';
    await setTimeout(soonMs, undefined, { ref: false });
    return mayComeYet(await this.#options.records.read(place), turn) ? 'later' : 'changed';
  }
}

/** True while the record may still become the one that the job was queued for: it does after an approval, a run, or a rescheduled attempt. */
function mayComeYet(read: ReadRecord | undefined, { runAt }: Turn): boolean {
  return read === undefined || (read.record.runAt < runAt && !['waiting', 'completed'].includes(read.record.status));
}

async function runBy({ running }: Maker, work: Promise<void>): Promise<void> {
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
