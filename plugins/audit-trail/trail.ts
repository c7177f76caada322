import type { Logger, ToolkitError } from '../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';
import { recordText } from './chain.ts';
import { Repeats } from './repeats.ts';
import { asTrailError, problemOf, trailError } from './trail-error.ts';
import { TrailWriter, type TrailWriterOptions } from './trail-writer.ts';

export interface TrailOptions extends Omit<TrailWriterOptions, 'replacesRemoved'> {
  readonly onFailure: 'closed' | 'open';
  /** Wait for the disk after each record. */
  readonly syncsEach: boolean;
}

/** Records of calls that wait for the file to be writable again; those of calls that ran wait beyond that when no more can run. */
const maxWaiting = 1000;

/** A record on its way. */
interface Pending {
  readonly record: CallRecord;
  /** `intent`: of a call that is about to run, which nobody needs once that is known to have ended. */
  readonly kind: 'intent' | 'executed' | 'refused';
}

/** Those who come while the group before is written, or, where a write takes its time, in the same turn of the event loop. */
interface Group {
  readonly records: Pending[];
  readonly done: Promise<void>;
}

/**
 * The trail as the plugin sees it: a record is written at once, where that takes microseconds; else those who come at the same time share one
 * look at the file and one write. What could not be written waits in memory and is written first when that is possible again.
 */
export class Trail {
  readonly #options: TrailOptions;
  readonly #logger: Logger;
  readonly #writer: TrailWriter;
  readonly #repeats = new Repeats();
  readonly #waiting: Pending[] = [];
  /** Of calls whose answers are held: to be written together, at the end of this turn of the event loop at the latest. */
  readonly #held: Pending[] = [];
  /** When those that were held have been written, where that takes its time. */
  #heldDone: Promise<void> | undefined;
  #lost: { count: number; readonly since: string } | undefined;
  #failure: ToolkitError | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #gathering: Group | undefined;
  /** Groups and other work that has its turn, or waits for it. */
  #inLine = 0;
  #isClosed = false;

  constructor(options: TrailOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#writer = new TrailWriter({ ...options, replacesRemoved: options.onFailure === 'open' }, logger);
  }

  /** True when the file is as it was left, and nothing of an earlier turn of the event loop waits for it. */
  isReady(): boolean {
    return this.#isUntroubled && this.#writer.isReady();
  }

  get #isUntroubled(): boolean {
    return !this.#isClosed && this.#failure === undefined && this.#waiting.length === 0 && this.#lost === undefined;
  }

  /** Makes sure that the file is there and that nothing waits for it. Throws ToolkitError; tries anew each time. */
  ready(): Promise<void> {
    return this.#join([]);
  }

  /**
   * Writes the record of a call that is about to run; a promise where that has to be waited for. Rejects with ToolkitError when that fails; then
   * it is not written later either.
   */
  intend(record: CallRecord): Promise<void> | undefined {
    return this.#write({ record, kind: 'intent' });
  }

  /**
   * Writes the record of a call that ended; a promise where that has to be waited for. Resolves when it is written, or is known not to be: then
   * that is in the log.
   */
  append(
    record: CallRecord,
    { executed, isHeld = false }: { readonly executed: boolean; readonly isHeld?: boolean },
  ): Promise<void> | undefined {
    const pending: Pending = { record, kind: executed ? 'executed' : 'refused' };
    if (!isHeld || !this.#isAlone) return this.#write(pending)?.catch(() => {});
    if (this.#held.length === 0) setImmediate(() => void this.writeHeld());
    this.#held.push(pending);
    return undefined;
  }

  /**
   * Writes the records of calls whose answers are held; a promise where that has to be waited for. Resolves when they are written, or are known
   * not to be.
   */
  writeHeld(): Promise<void> | undefined {
    if (this.#held.length > 0) void this.#write()?.catch(() => {});
    return this.#heldDone;
  }

  /** Writes what waits, and closes the file. Throws when records are lost by that. */
  close(): Promise<void> {
    void this.writeHeld();
    return this.#enqueue(async () => {
      if (this.#isClosed) return;
      const count = () => this.#waiting.length + (this.#lost?.count ?? 0);
      if (count() > 0) await this.#flush().catch(() => {});
      this.#isClosed = true;
      await this.#writer.close();
      if (count() > 0)
        throw trailError(this.#options.path, `${count()} records were never written`, 'The log names the calls that ran without one.');
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#inLine++;
    const result = this.#turn.then(work).finally(() => this.#inLine--);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Nothing is on its way, and a record can be written at once. */
  get #isAlone(): boolean {
    return this.#inLine === 0 && this.#isUntroubled && !this.#options.syncsEach;
  }

  /** Writes a record, and those that are held before it. */
  #write(pending?: Pending): Promise<void> | undefined {
    const records = pending === undefined ? this.#held.splice(0) : [...this.#held.splice(0), pending];
    const isShared = records.length > 1;
    if (this.#isAlone && (isShared || this.#writer.isQuick) && this.#writer.writeNow(records)) return undefined;
    const done = this.#join(records);
    const isHeld = isShared || pending === undefined;
    if (isHeld) this.#heldDone = this.#endOf(done);
    return done;
  }

  #endOf(group: Promise<void>): Promise<void> {
    const ended = group
      .catch(() => {})
      .then(() => {
        if (this.#heldDone === ended) this.#heldDone = undefined;
      });
    return ended;
  }

  #join(records: readonly Pending[]): Promise<void> {
    this.#gathering ??= this.#gather();
    this.#gathering.records.push(...records);
    return this.#gathering.done;
  }

  #gather(): Group {
    const records: Pending[] = [];
    const done = this.#enqueue(async () => {
      await endOfTurn();
      this.#gathering = undefined;
      if (this.#isUntroubled && !this.#options.syncsEach && this.#writer.writeNow(records)) return;
      for (const record of records) this.#waiting.push(record);
      try {
        await this.#flush();
      } catch (error) {
        // What is left of this group stands at the end.
        this.#leave(this.#waiting.splice(Math.max(0, this.#waiting.length - records.length)), error as ToolkitError);
        throw error;
      }
    });
    return { records, done };
  }

  async #flush(): Promise<void> {
    try {
      if (this.#isClosed) throw trailError(this.#options.path, 'it is closed', 'Calls end after the kernel has.');
      await this.#writer.ready();
      const waited = this.#waiting.length;
      const isWriting = waited > 0 || this.#lost !== undefined;
      if (this.#lost !== undefined) {
        await this.#writer.write([{ record: recordText({ event: 'lost', time: new Date().toISOString(), ...this.#lost }) }]);
        this.#lost = undefined;
      }
      await this.#writer.write(this.#waiting);
      if (this.#options.syncsEach && (isWriting || this.#failure !== undefined)) await this.#writer.sync();
      if (this.#failure !== undefined) this.#logger.warn(`The audit trail "${this.#options.path}" is written again.`);
      this.#failure = undefined;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(thrown: unknown): ToolkitError {
    const error = asTrailError(this.#options.path, thrown);
    this.#writer.suspect();
    if (this.#failure === undefined) this.#repeats.reset();
    this.#failure = error;
    const isOpen = this.#options.onFailure === 'open';
    const effect = isOpen ? 'Calls go on without a record.' : 'Calls are refused until it can be.';
    this.#repeats.say((since) => this.#logger[isOpen ? 'warn' : 'error'](`${error.message} ${effect}${since}`, { code: error.code }));
    return error;
  }

  /** The newest records stay in memory, or are counted as lost. The log names a call that ran. */
  #leave(records: readonly Pending[], error: ToolkitError): void {
    const isOpen = this.#options.onFailure === 'open';
    for (const pending of records) {
      if (pending.kind === 'intent') continue;
      const executed = pending.kind === 'executed';
      const isKept = !this.#isClosed && (this.#waiting.length < maxWaiting || (executed && !isOpen));
      if (isKept) this.#waiting.push(pending);
      else this.#lost = { count: (this.#lost?.count ?? 0) + 1, since: this.#lost?.since ?? pending.record.time };
      if (executed && (!isOpen || this.#isClosed)) this.#nameUnrecorded(pending.record, isKept, error);
    }
  }

  #nameUnrecorded({ callId, tool, caller, outcome }: CallRecord, isKept: boolean, error: ToolkitError): void {
    const state = isKept ? 'It waits in memory and is written when that is possible again.' : 'It is lost.';
    this.#logger.error(`A call ran, and its audit record could not be written: ${problemOf(error)}. ${state}`, {
      callId,
      tool,
      caller,
      outcome,
    });
  }
}

/** When everything that can go on without a new event has gone on: later than all promises, and before the event loop turns. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
