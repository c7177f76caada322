import { messageOf, type StateChange, type StateStore, type WorkOptions } from '../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { CallRecord } from '../shared/calls/call-record.ts';
import { moveCalls } from '../shared/calls/move-calls.ts';
import { OrphanedCalls } from '../shared/calls/orphaned-calls.ts';
import { queueKeys } from '../shared/calls/queue-keys.ts';
import { queueClosed } from './connection.ts';
import { JobQueue } from './job-queue.ts';
import { JobWorker } from './job-worker.ts';
import { type BullMq, loadBullMq } from './load-bullmq.ts';
import { MissingJobs } from './missing-jobs.ts';

export interface BullMqDispatchOptions {
  /** Keys of engines whose calls are taken on before the first call runs here. @default none */
  readonly earlier?: readonly StateStore[];
  readonly url: string;
  /** Loads BullMQ. @default imports the package */
  readonly bullmq?: () => Promise<BullMq>;
}

/** Dispatches calls through a queue of BullMQ. Keeps the index entries of `engine-local`, which lead to calls that BullMQ has lost. */
export class BullMqDispatch implements CallDispatch {
  readonly #parts: DispatchParts;
  readonly #url: string;
  readonly #earlier: readonly StateStore[];
  readonly #bullmq: () => Promise<BullMq>;
  readonly #queue: JobQueue;
  readonly #workers = new Set<JobWorker>();
  #takenOn: Promise<void> | undefined;
  #missing: MissingJobs | undefined;
  #orphaned: OrphanedCalls | undefined;
  #isClosed = false;

  constructor(parts: DispatchParts, { url, bullmq = loadBullMq, earlier = [] }: BullMqDispatchOptions) {
    this.#parts = parts;
    this.#url = url;
    this.#earlier = earlier;
    this.#bullmq = bullmq;
    this.#queue = new JobQueue({ bullmq, url, logger: parts.logger });
    parts.host.closing.addEventListener('abort', () => void this.#stopWorkers().catch(() => {}), { once: true });
  }

  indexEntries(callKey: string, { status, caller, runAt, tool, by }: CallRecord): readonly StateChange[] {
    if (status === 'waiting') return [{ key: queueKeys.queue(caller, runAt, callKey), value: tool }];
    return status === 'running' && by !== undefined ? [{ key: queueKeys.running(by, callKey), value: '' }] : [];
  }

  /** Never rejects: the record is written, and a sweep adds the job. */
  async enqueue(callKey: string, { runAt }: Pick<CallRecord, 'runAt'>, openCalls = 0): Promise<void> {
    await this.#queue.add([{ callKey, runAt }], openCalls).catch((error: unknown) => {
      this.#parts.logger.warn(`a durable call is stored, and begins later: ${messageOf(error)}`);
    });
  }

  remove(callKey: string, { runAt }: CallRecord): Promise<void> {
    return this.#queue.remove({ callKey, runAt });
  }

  async work(work: WorkOptions): Promise<() => Promise<void>> {
    const parts = { ...this.#parts, queue: this.#queue };
    await this.#queue.open();
    this.#takenOn ??= this.#takeOn().catch((error: unknown) => {
      this.#takenOn = undefined;
      throw error;
    });
    await this.#takenOn;
    const worker = await JobWorker.open({ ...parts, work, url: this.#url, bullmq: await this.#bullmq() });
    if (this.#isClosed) {
      await worker.stop();
      throw queueClosed();
    }
    this.#missing ??= new MissingJobs(parts);
    this.#orphaned ??= new OrphanedCalls(parts);
    this.#workers.add(worker);
    return async () => {
      await worker.stop();
      this.#workers.delete(worker);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stopWorkers();
    await Promise.all([this.#missing?.close(), this.#orphaned?.close()]);
    await this.#queue.close();
  }

  async #takeOn(): Promise<void> {
    const { records, logger } = this.#parts;
    for (const from of this.#earlier) await moveCalls({ from, to: records, logger });
  }

  async #stopWorkers(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }
}
