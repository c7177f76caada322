import type { WorkOptions } from '../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { CallRecord } from '../shared/calls/call-record.ts';
import type { Cipher } from '../shared/keys/cipher.ts';
import { DbosQueue } from './dbos-queue.ts';
import { DbosWorker } from './dbos-worker.ts';
import { JobRunner } from './job-runner.ts';
import { type Dbos, loadDbos } from './load-dbos.ts';
import { OrphanedJobs } from './orphaned-jobs.ts';

export interface DbosDispatchOptions {
  readonly url: string;
  readonly cipher: Cipher;
  /** Loads DBOS. @default imports the package */
  readonly dbos?: () => Promise<Dbos>;
}

/** Dispatches calls through a queue of DBOS. */
export class DbosDispatch implements CallDispatch {
  readonly #parts: DispatchParts;
  readonly #queue: DbosQueue;
  readonly #jobs: JobRunner;
  readonly #worker: DbosWorker;
  readonly #stops = new Set<() => Promise<void>>();
  #orphanedJobs: OrphanedJobs | undefined;
  #heartbeat: Promise<void> | undefined;

  constructor(parts: DispatchParts, { url, cipher, dbos = loadDbos }: DbosDispatchOptions) {
    const { logger, process, host, state } = parts;
    this.#parts = parts;
    this.#queue = new DbosQueue({ dbos, url, cipher, state, logger });
    this.#jobs = new JobRunner({ ...parts, queue: this.#queue, cipher });
    const run = (workflow: string, input: unknown): Promise<void> => this.#jobs.handle(workflow, input);
    this.#worker = new DbosWorker({ dbos, url, logger, executor: process.id, run });
    host.closing.addEventListener('abort', () => void this.#updateConcurrency().catch(() => {}), { once: true });
  }

  enqueue(place: string, { runAt }: Pick<CallRecord, 'runAt'>, ahead = 0): Promise<void> {
    return this.#queue.put({ place, runAt, ahead, looks: 0 }, runAt - Date.now());
  }

  remove(place: string, { runAt }: CallRecord): Promise<void> {
    return this.#queue.drop({ place, runAt, looks: 0 });
  }

  async work(options: WorkOptions): Promise<() => Promise<void>> {
    await this.#queue.open();
    // Other processes must see a heartbeat of this process before it takes a job.
    this.#heartbeat ??= this.#parts.process.enter().catch((error: unknown) => {
      this.#heartbeat = undefined;
      throw error;
    });
    await this.#heartbeat;
    this.#orphanedJobs ??= new OrphanedJobs({ ...this.#parts, queue: this.#queue, jobs: this.#jobs });
    const end = this.#jobs.open(options);
    const stop = async (): Promise<void> => {
      this.#stops.delete(stop);
      const ended = end();
      await this.#updateConcurrency();
      await ended;
    };
    this.#stops.add(stop);
    try {
      await this.#updateConcurrency();
    } catch (error) {
      this.#stops.delete(stop);
      await end();
      throw error;
    }
    return stop;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#stops].map((stop) => stop()));
    this.#jobs.close();
    await this.#orphanedJobs?.close();
    await this.#worker.close();
    if (this.#heartbeat !== undefined) this.#parts.process.leave();
    this.#heartbeat = undefined;
    await this.#queue.close();
  }

  /** Sets the concurrency of DBOS to that of the workers here. */
  #updateConcurrency(): Promise<void> {
    return this.#worker.setConcurrency(this.#jobs.concurrency);
  }
}
