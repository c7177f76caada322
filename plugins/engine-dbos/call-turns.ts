import { setTimeout } from 'node:timers/promises';
import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { ReadRecord } from '../shared/calls/call-records.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import type { Cipher } from '../shared/keys/cipher.ts';
import type { DbosQueue } from './dbos-queue.ts';
import { openTurn, type Turn } from './turn.ts';

/** What cannot be done now is looked at again after so long, in milliseconds. */
const againMs = 1000;

/** Who puts a turn into the queue writes next that the call waits: at the first look so much later, in milliseconds. */
const soonMs = 25;

/** After so many looks that will not be written any more. */
const mostLooks = 60;

export interface CallTurnsOptions extends DispatchParts {
  readonly queue: DbosQueue;
  readonly cipher: Cipher;
}

/** Somebody of this process who makes calls. */
interface Maker {
  readonly takes: (tool: string) => boolean;
  readonly concurrency: number;
  readonly running: Set<Promise<void>>;
}

/** What a look at a turn came to: it is over, it has changed, or it is to be looked at later. */
type Look = 'over' | 'changed' | 'later';

/**
 * Does what the turns of calls ask for that DBOS has given to this process. A turn only says which call to look at; what is done, and by whom, is decided by
 * the record of the call. It goes on until the record says that the turn is over.
 */
export class CallTurns {
  readonly #options: CallTurnsOptions;
  readonly #makers = new Set<Maker>();
  /** By workflow. */
  readonly #carried = new Set<string>();
  #isClosed = false;
  /** Of workflows of others, of which there may be many. */
  #hasWarned = false;

  constructor(options: CallTurnsOptions) {
    this.#options = options;
  }

  /** Calls that are made here at the same time. */
  get concurrency(): number {
    if (this.#options.host.closing.aborted) return 0;
    return [...this.#makers].reduce((sum, { concurrency }) => sum + concurrency, 0);
  }

  /** Makes calls from now on. Returns what ends that, and resolves when none of them runs any more. */
  open(options: WorkOptions): () => Promise<void> {
    const { concurrency } = options;
    const maker = { concurrency, takes: createWorkFilter(options, this.#options.host), running: new Set<Promise<void>>() };
    this.#makers.add(maker);
    return async () => {
      this.#makers.delete(maker);
      await Promise.allSettled(maker.running);
    };
  }

  /** What could not be done until now is left to other processes. */
  close(): void {
    this.#isClosed = true;
  }

  /** Whether the turn of this workflow is with this process now. */
  has(workflow: string): boolean {
    return this.#carried.has(workflow);
  }

  /** Resolves when the turn is over here. */
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
          'workflows in the queue of durable calls are left alone: they were not made with the key of this host, or were changed. Give all processes the same TOOLKIT_KEY',
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
        if (!hasFailed) logger.warn(`a durable call cannot be looked at until its store can be used: ${messageOf(error)}`);
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
    // Of a process that others have taken for dead, or of this one, that could not write how it ended.
    if (run.has(place) || (by !== process.id && (await process.isAlive(by)))) return 'later';
    await run.rescheduleOrphan(read);
    return 'changed';
  }

  /** For who put the turn into the queue, and has not written yet that the call waits. */
  async #awaited(turn: Turn): Promise<Look> {
    const { place, looks } = turn;
    if (looks > 0) return looks < mostLooks ? 'later' : 'over';
    await setTimeout(soonMs, undefined, { ref: false });
    return mayComeYet(await this.#options.records.read(place), turn) ? 'later' : 'changed';
  }
}

/** Whether what has put the turn into the queue may still write so: it does when the call is asked about, has run, or is to be made again. */
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
