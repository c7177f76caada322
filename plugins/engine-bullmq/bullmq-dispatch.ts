import { messageOf, type StateChange, type StateStore, type WorkOptions } from '../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from '../shared/calls/call-dispatch.ts';
import type { CallRecord } from '../shared/calls/call-record.ts';
import { moveCalls } from '../shared/calls/move-calls.ts';
import { OrphanedCalls } from '../shared/calls/orphaned-calls.ts';
import { queueKeys } from '../shared/calls/queue-keys.ts';
import { PostgresHosts } from '../shared/state/postgres-hosts.ts';
import { queueClosed } from './connection.ts';
import { JobQueues } from './job-queues.ts';
import { type BullMq, loadBullMq } from './load-bullmq.ts';
import { SetWorker } from './set-worker.ts';
import { ToolSets } from './tool-sets.ts';

export interface BullMqDispatchOptions {
  /** Keys of engines whose calls are taken on before the first call runs here. @default none */
  readonly earlier?: readonly StateStore[];
  readonly url: string;
  /** Loads BullMQ. @default imports the package */
  readonly bullmq?: () => Promise<BullMq>;
}

/** Dispatches calls through queues of BullMQ, one for each set of tools that workers have. Keeps the index entries of `engine-local`, which lead to calls that BullMQ has lost. */
export class BullMqDispatch implements CallDispatch {
  readonly #parts: DispatchParts;
  readonly #url: string;
  readonly #hosts: PostgresHosts;
  readonly #earlier: readonly StateStore[];
  readonly #bullmq: () => Promise<BullMq>;
  readonly #queues: JobQueues;
  readonly #sets: ToolSets;
  readonly #workers = new Set<SetWorker>();
  #takenOn: Promise<void> | undefined;
  #orphaned: OrphanedCalls | undefined;
  #isClosed = false;

  constructor(parts: DispatchParts, { url, bullmq = loadBullMq, earlier = [] }: BullMqDispatchOptions) {
    this.#parts = parts;
    this.#url = url;
    this.#hosts = new PostgresHosts(url);
    this.#earlier = earlier;
    this.#bullmq = bullmq;
    this.#queues = new JobQueues({ bullmq, url, hosts: this.#hosts, logger: parts.logger });
    this.#sets = new ToolSets(parts.state);
    parts.host.closing.addEventListener('abort', () => void this.#stopWorkers().catch(() => {}), { once: true });
  }

  indexEntries(callKey: string, { status, caller, runAt, tool, by }: CallRecord): readonly StateChange[] {
    if (status === 'waiting') return [{ key: queueKeys.queue(caller, runAt, callKey), value: tool }];
    return status === 'running' && by !== undefined ? [{ key: queueKeys.running(by, callKey), value: '' }] : [];
  }

  /** Never rejects: the record is written, and a sweep of a worker adds the job. */
  async enqueue(callKey: string, { runAt, tool }: Pick<CallRecord, 'runAt' | 'tool'>, openCalls = 0): Promise<void> {
    try {
      const ids = await this.#sets.idsWith(tool);
      await Promise.all(ids.map((id) => this.#queues.of(id).add([{ callKey, runAt, openCalls }])));
    } catch (error) {
      this.#parts.logger.warn(`a durable call is stored, and begins later: ${messageOf(error)}`);
    }
  }

  /** Never rejects: a job that stays ends without effect. */
  async remove(callKey: string, { runAt, tool }: CallRecord): Promise<void> {
    try {
      const ids = await this.#sets.idsWith(tool);
      await Promise.all(ids.map((id) => this.#queues.of(id).remove({ callKey, runAt })));
    } catch (error) {
      this.#parts.logger.debug(`the job of a cancelled call stays in its queue: ${messageOf(error)}`);
    }
  }

  async work(work: WorkOptions): Promise<() => Promise<void>> {
    this.#takenOn ??= this.#takeOn().catch((error: unknown) => {
      this.#takenOn = undefined;
      throw error;
    });
    await this.#takenOn;
    const [sets, queues, url, hosts] = [this.#sets, this.#queues, this.#url, this.#hosts];
    const worker = await SetWorker.open({ ...this.#parts, work, sets, queues, url, hosts, bullmq: await this.#bullmq() });
    if (this.#isClosed) {
      await worker.stop();
      throw queueClosed();
    }
    this.#orphaned ??= new OrphanedCalls(this.#parts);
    this.#workers.add(worker);
    return async () => {
      await worker.stop();
      this.#workers.delete(worker);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stopWorkers();
    await this.#orphaned?.close();
    await Promise.all([this.#queues.close(), this.#sets.close()]);
  }

  async #takeOn(): Promise<void> {
    const { state, records, logger } = this.#parts;
    for (const from of this.#earlier) await moveCalls({ from, state, to: records, logger });
  }

  async #stopWorkers(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }
}
