import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import { CallQueue, type QueueEntry } from './call-queue.ts';
import { readQueueKey } from './queue-keys.ts';

/** Maximum time between two checks of the queue, in milliseconds, even without a notification. */
const lookMs = 1000;

/** Maximum number of prefetched calls of one caller: the more, the less often processes collide. */
const mostAhead = 1000;

/** Takes calls out of the queue and runs them, up to `concurrency` at the same time. */
export class CallWorker {
  readonly #parts: DispatchParts;
  readonly #queue: CallQueue;
  readonly #concurrency: number;
  readonly #busy = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #soon: NodeJS.Timeout | undefined;
  #isStopped = false;
  #filling: Promise<void> | undefined;
  #isWanted = false;
  #hasFailed = false;

  constructor(parts: DispatchParts, options: WorkOptions) {
    const { concurrency } = options;
    this.#parts = parts;
    this.#concurrency = concurrency;
    this.#queue = new CallQueue({
      state: parts.state,
      takes: createWorkFilter(options, parts.host),
      ahead: Math.min(32 * concurrency, mostAhead),
    });
    this.#unwatch = parts.changes.on('queue/', (key) => {
      this.#queue.changed(key);
      if ((readQueueKey(key)?.runAt ?? 0) <= Date.now()) this.wake();
    });
    this.#timer = setInterval(() => this.wake(), lookMs).unref();
    parts.host.closing.addEventListener('abort', () => this.#cease(), { once: true });
    this.wake();
  }

  /** Checks the queue soon. */
  wake(): void {
    this.#isWanted = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      // `wake` may have been called after the last check.
      if (this.#isWanted && this.#hasSlotFor) this.wake();
    });
  }

  /** Takes no more calls. Resolves when no call of this worker runs. */
  async stop(): Promise<void> {
    this.#cease();
    await this.#filling;
    await Promise.all(this.#busy);
  }

  get #hasSlotFor(): boolean {
    return !this.#isStopped && this.#busy.size < this.#concurrency;
  }

  #cease(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    this.#unwatch();
  }

  async #fill(): Promise<void> {
    try {
      while (this.#isWanted && this.#hasSlotFor) {
        this.#isWanted = false;
        for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) this.#begin(entry);
      }
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#parts.logger.warn(`no durable calls are taken until their store can be used: ${messageOf(error)}`);
      this.#hasFailed = true;
      this.#isWanted = false;
    }
    this.#wakeSoon();
  }

  async #next(): Promise<QueueEntry | undefined> {
    return this.#hasSlotFor ? this.#queue.next() : undefined;
  }

  #begin(entry: QueueEntry): void {
    const work = this.#take(entry)
      .catch((error: unknown) => {
        this.#queue.rest(entry.key);
        this.#parts.logger.warn(`a durable call could not be taken: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#busy.delete(work);
        this.#queue.done(entry.key);
        this.wake();
      });
    this.#busy.add(work);
  }

  async #take({ key, runAt, place }: QueueEntry): Promise<void> {
    const { state, records, run } = this.#parts;
    // The call was queued again here, and its earlier run is about to end.
    if (run.has(place)) return this.#queue.rest(key);
    const read = await records.read(place);
    if (read?.record.status === 'waiting' && read.record.runAt === runAt) await run.claimAndRun(read);
    // The call is not waiting any more, and not running: its queue entry is stale. When another worker takes a call, the entry goes with it.
    else if (read?.record.status !== 'running') await state.delete(key);
  }

  #wakeSoon(): void {
    const inMs = this.#queue.nextAt - Date.now();
    clearTimeout(this.#soon);
    if (this.#isStopped || inMs >= lookMs) return;
    this.#soon = setTimeout(() => this.wake(), Math.max(inMs, 1)).unref();
  }
}
