import {
  type CallAnswer,
  type CallEngine,
  type CallFilter,
  type CallName,
  type CallPage,
  type CallResult,
  type DurableCall,
  type DurableRequest,
  type EngineHost,
  hasEnded,
  type Liveness,
  type Logger,
  type RetryOptions,
  type StateStore,
  type WorkOptions,
} from '../../../kernel/index.ts';
import type { CallDispatch, DispatchParts } from './call-dispatch.ts';
import { keys } from './call-keys.ts';
import { idOfOnce, toDurableCall } from './call-record.ts';
import { CallRecords, type ReadRecord } from './call-records.ts';
import { CallRun } from './call-run.ts';
import { submitCall } from './call-submission.ts';
import { ChangeNotifier } from './change-notifier.ts';
import { decideCall, refusedCall } from './decide-call.ts';
import { convertEarlierEntries } from './earlier-entries.ts';
import type { EngineOptions } from './engine-options.ts';
import { KnownEffects } from './known-effects.ts';
import { listCalls } from './list-calls.ts';
import type { MovedState } from './movable-state.ts';
import { moveCalls } from './move-calls.ts';
import { OpenCalls } from './open-calls.ts';

/** Lifetime of a cancellation request in milliseconds. The process that runs the call is notified well within it. */
const cancelTtlMs = 60_000;

/** Options of an engine whose records are in the store. The process begins to run calls with its first `submit` or `start`. */
export interface StoredCallsOptions extends EngineOptions {
  /** Returns true where `submit` leaves the run to other processes. @default it does not */
  readonly leavesRuns?: () => boolean;
  readonly host: EngineHost;
  readonly state: StateStore;
  readonly logger: Logger;
}

/**
 * Durable calls with records in the kernel's store, shared by all processes. A complete engine except for the dispatch, which gives calls
 * to workers.
 */
export class StoredCalls implements CallEngine {
  readonly #options: StoredCallsOptions;
  readonly #records: CallRecords;
  readonly #changes: ChangeNotifier;
  readonly #open: OpenCalls;
  readonly #effects: KnownEffects;
  readonly #process: Liveness;
  readonly #run: CallRun;
  readonly #dispatch: CallDispatch;
  #started: Promise<unknown> | undefined;
  #converted: Promise<void> | undefined;

  constructor(options: StoredCallsOptions, dispatch: (parts: DispatchParts) => CallDispatch) {
    const { host, state, retentionMs, maxCalls, maxBytes, logger } = options;
    this.#options = options;
    this.#changes = new ChangeNotifier(state);
    this.#records = new CallRecords({ state, ttlMs: retentionMs, logger, onEnd: host.approvals?.ended, queue: () => this.#dispatch });
    this.#open = new OpenCalls(state, maxCalls);
    this.#effects = new KnownEffects({ records: this.#records, host, maxBytes });
    const abortLost = (): void =>
      void this.#run
        .abortLost()
        .catch((error: unknown) => logger.warn('durable calls that other processes have taken over could not be aborted here', { error }));
    this.#process = state.join(abortLost);
    const parts = { host, state, logger, records: this.#records, changes: this.#changes, process: this.#process };
    this.#run = new CallRun({ ...options, ...parts, effects: this.#effects });
    this.#dispatch = dispatch({ ...parts, run: this.#run });
  }

  /** Begins to run calls, once. `options` defaults to the engine's own concurrency. */
  async start(options: WorkOptions = { concurrency: this.#options.concurrency }): Promise<void> {
    if (options.concurrency === 0) return;
    this.#started ??= this.work(options).catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    await this.#started;
  }

  async submit(request: DurableRequest): Promise<DurableCall> {
    const { maxBytes } = this.#options;
    // First: a start that fails must leave no record.
    if (this.#options.leavesRuns?.() !== true) await this.start();
    const call = await submitCall(request, { maxBytes, records: this.#records, open: this.#open });
    return toDurableCall(call.record);
  }

  async get(name: CallName): Promise<DurableCall> {
    return toDurableCall((await this.#current(name)).record);
  }

  async resultOf(name: CallName): Promise<CallResult | undefined> {
    return this.#records.result(await this.#current(name));
  }

  list(filter: CallFilter): Promise<CallPage> {
    return listCalls({ records: this.#records, effects: this.#effects, process: this.#process }, filter);
  }

  async ended(name: CallName, signal?: AbortSignal): Promise<DurableCall> {
    await this.#changes.open('id/');
    const callKey = await this.#records.keyOf(name);
    const check = async (): Promise<DurableCall | undefined> => {
      const read = (await this.#records.read(callKey)) ?? (await this.#records.get(name));
      return hasEnded(read.record.status) ? toDurableCall((await this.#effects.settle(read)).record) : undefined;
    };
    // The key of the name is written when the call ends, not at each step.
    return this.#changes.waitFor(keys.name(name), check, signal);
  }

  async cancel(name: CallName): Promise<DurableCall> {
    return this.#change(name, async (read) => {
      const { callKey: place, record } = read;
      if (hasEnded(record.status)) return read;
      if (record.status === 'running')
        return this.#records.replace(read, { ...record, isCancelled: true }, [{ key: keys.cancel(place), value: '', ttlMs: cancelTtlMs }]);
      const error = { code: 'ABORTED', message: `The durable call of "${record.tool}" was cancelled before it ran.` } as const;
      const ended = await this.#records.end(read, { status: 'cancelled', error });
      if (ended !== undefined && record.status === 'waiting') await this.#dispatch.remove?.(place, record);
      return ended;
    });
  }

  async retry(name: CallName, { repeatEffect = false }: RetryOptions): Promise<DurableCall> {
    return this.#change(name, async (found) => {
      const read = await this.#effects.settle(found);
      const { status, effect } = read.record;
      // Its outcome has arrived: there is nothing to run again.
      if (status === 'completed' && found.record.status === 'unknown') return read;
      if (!['failed', 'cancelled', 'unknown'].includes(status))
        throw refusedCall(name, `cannot be run again: it is ${status}. Only one that failed, was cancelled or is unknown can`);
      const { error: _error, endedAt: _endedAt, result: _result, resultOf: _resultOf, ...record } = read.record;
      await this.#open.admit(record.caller);
      // A person's approval counts for one run.
      return this.#records.wait(read, { ...record, decisions: [], failures: 0, effect: effect + (repeatEffect ? 1 : 0) }, Date.now());
    });
  }

  async answer(name: CallName, answer: CallAnswer): Promise<DurableCall> {
    return this.#change(name, (read) => decideCall(read, answer, this.#records));
  }

  nameOf({ caller, once }: { readonly caller: string; readonly once: string }): CallName {
    return { caller, id: idOfOnce(once) };
  }

  async work(options: WorkOptions): Promise<() => Promise<void>> {
    await this.#changes.open('cancel/');
    await this.#tryLiveness();
    this.#converted ??= this.#convert().catch((error: unknown) => {
      this.#converted = undefined;
      throw error;
    });
    await this.#converted;
    return this.#dispatch.work(options);
  }

  #convert(): Promise<void> {
    const { state, logger } = this.#options;
    return convertEarlierEntries({ state, logger, queue: this.#dispatch });
  }

  /** Rejects where others could not find out whether this process lives: before a call runs, not while it does. */
  async #tryLiveness(): Promise<void> {
    await this.#process.enter();
    this.#process.leave();
  }

  /** Takes calls on that were stored under these keys. Repeated after a break it continues. */
  takeOn(from: StateStore): Promise<MovedState> {
    const { state, logger } = this.#options;
    return moveCalls({ from, state, to: this.#records, logger });
  }

  async close(): Promise<void> {
    await this.#dispatch.close();
    await this.#changes.close();
  }

  /** Reads the record of a name, after the outcome of an unknown call has been looked up. */
  async #current(name: CallName): Promise<ReadRecord> {
    return this.#effects.settle(await this.#records.get(name));
  }

  /** Repeats the change until no other process has written between read and write. */
  async #change(name: CallName, change: (read: ReadRecord) => Promise<ReadRecord | undefined>): Promise<DurableCall> {
    for (;;) {
      const written = await change(await this.#records.get(name));
      if (written !== undefined) return toDurableCall(written.record);
    }
  }
}
