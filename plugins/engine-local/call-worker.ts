import { messageOf, type WorkOptions } from '../../kernel/index.ts';
import type { DispatchParts } from '../shared/calls/call-dispatch.ts';
import { readQueueKey } from '../shared/calls/queue-keys.ts';
import { createWorkFilter } from '../shared/calls/takes-tool.ts';
import { type QueueEntry, WaitingCalls } from './waiting-calls.ts';

/** Maximum time between two checks of the queue, in milliseconds, even without a notification. */
const pollIntervalMs = 1000;

/** Maximum number of prefetched calls of one caller: the more, the less often processes collide. */
const maxPrefetch = 1000;

/** Takes calls out of the queue and runs them, up to `concurrency` at the same time. */
export class CallWorker {
  readonly #parts: DispatchParts;
  readonly #queue: WaitingCalls;
  readonly #concurrency: number;
  readonly #busy = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  readonly #unwatch: () => void;
  #nextWake: NodeJS.Timeout | undefined;
  #isStopped = false;
  #filling: Promise<void> | undefined;
  #isWakeRequested = false;
  #hasFailed = false;

  constructor(parts: DispatchParts, options: WorkOptions) {
    const { concurrency } = options;
    this.#parts = parts;
    this.#concurrency = concurrency;
    this.#queue = new WaitingCalls({
      state: parts.state,
      acceptsTool: createWorkFilter(options, parts.host),
      prefetch: Math.min(32 * concurrency, maxPrefetch),
    });
    this.#unwatch = parts.changes.on('queue/', (key) => {
      this.#queue.onChange(key);
      if ((readQueueKey(key)?.runAt ?? 0) <= Date.now()) this.wake();
    });
    this.#timer = setInterval(() => this.wake(), pollIntervalMs).unref();
    parts.host.closing.addEventListener('abort', () => this.#stopTaking(), { once: true });
    this.wake();
  }

  /** Checks the queue soon. */
  wake(): void {
    this.#isWakeRequested = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      // `wake` may have been called after the last check.
      if (this.#isWakeRequested && this.#hasSlotFor) this.wake();
    });
  }

  /** Takes no more calls. Resolves when no call of this worker runs. */
  async stop(): Promise<void> {
    this.#stopTaking();
    await this.#filling;
    await Promise.all(this.#busy);
  }

  get #hasSlotFor(): boolean {
    return !this.#isStopped && this.#busy.size < this.#concurrency;
  }

  #stopTaking(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#nextWake);
    this.#unwatch();
  }

  async #fill(): Promise<void> {
    try {
      while (this.#isWakeRequested && this.#hasSlotFor) {
        this.#isWakeRequested = false;
        for (let entry = await this.#next(); entry !== undefined; entry = await this.#next()) this.#begin(entry);
      }
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#parts.logger.warn(`no durable calls are taken until their store can be used: ${messageOf(error)}`);
      this.#hasFailed = true;
      this.#isWakeRequested = false;
    }
    this.#wakeSoon();
  }

  async #next(): Promise<QueueEntry | undefined> {
    return this.#hasSlotFor ? this.#queue.next() : undefined;
  }

  #begin(entry: QueueEntry): void {
    const work = this.#claim(entry)
      .catch((error: unknown) => {
        this.#queue.postpone(entry.key);
        this.#parts.logger.warn(`a durable call could not be taken: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#busy.delete(work);
        this.#queue.release(entry.key);
        this.wake();
      });
    this.#busy.add(work);
  }

  async #claim({ key, runAt, callKey }: QueueEntry): Promise<void> {
    const { state, records, run } = this.#parts;
    // The call was queued again here, and its earlier run is about to end.
    if (run.has(callKey)) return this.#queue.postpone(key);
    const read = await records.readForWork(callKey);
    if (read === 'later') return this.#queue.postpone(key);
    if (read?.record.status === 'waiting' && read.record.runAt === runAt) await run.claimAndRun(read);
    // The call is not waiting any more, and not running: its queue entry is stale. When another worker takes a call, the entry goes with it.
    else if (read?.record.status !== 'running') await state.delete(key);
  }

  #wakeSoon(): void {
    const inMs = this.#queue.nextAt - Date.now();
    clearTimeout(this.#nextWake);
    if (this.#isStopped || inMs >= pollIntervalMs) return;
    this.#nextWake = setTimeout(() => this.wake(), Math.max(inMs, 1)).unref();
  }
}
