import type { Logger, ToolkitError } from '../../kernel/index.ts';
import type { CallRecord } from './call-record.ts';
import { recordText } from './chain.ts';
import { ThrottledLog } from './throttled-log.ts';
import { asTrailError, problemOf, trailError } from './trail-error.ts';
import { TrailWriter, type TrailWriterOptions } from './trail-writer.ts';

export interface TrailOptions extends Omit<TrailWriterOptions, 'replacesRemoved'> {
  readonly onFailure: 'closed' | 'open';
  /** True to wait for the disk after each record. */
  readonly syncsEach: boolean;
}

/** Maximum number of records that wait for the file to be writable again. Records of calls that ran, and of approvals, may exceed it with "closed". */
const maxWaiting = 1000;

/** A record that is not written yet. */
interface PendingRecord {
  readonly record: CallRecord;
  /** `intent`: the call is about to run; the record is not needed once the call is known to have ended. `refused`: nothing has happened. */
  readonly kind: 'intent' | 'executed' | 'approval' | 'refused';
}

/** Records that share the next write. */
interface WriteGroup {
  readonly records: PendingRecord[];
  readonly done: Promise<void>;
}

/**
 * The trail of the plugin. A record is written at once when a write takes microseconds; otherwise concurrent records share one check of the
 * file and one write. Records that could not be written wait in memory and are written first later.
 */
export class Trail {
  readonly #options: TrailOptions;
  readonly #logger: Logger;
  readonly #writer: TrailWriter;
  readonly #repeats = new ThrottledLog();
  readonly #waiting: PendingRecord[] = [];
  /** Records of calls whose answers are held back: written together, at the latest at the end of this turn of the event loop. */
  readonly #held: PendingRecord[] = [];
  /** Resolves when the held records are written; undefined when they already are. */
  #heldDone: Promise<void> | undefined;
  #lost: { count: number; readonly since: string } | undefined;
  #failure: ToolkitError | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #nextGroup: WriteGroup | undefined;
  /** Number of queued and running jobs. */
  #jobCount = 0;
  #isClosed = false;

  constructor(options: TrailOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
    this.#writer = new TrailWriter({ ...options, replacesRemoved: options.onFailure === 'open' }, logger);
  }

  /** True when the file is unchanged and no record of an earlier turn of the event loop waits. */
  isReady(): boolean {
    return this.#isHealthy && this.#writer.isReady();
  }

  get #isHealthy(): boolean {
    return !this.#isClosed && this.#failure === undefined && this.#waiting.length === 0 && this.#lost === undefined;
  }

  /** Checks the file and writes waiting records. Throws ToolkitError; tries anew each time. */
  ready(): Promise<void> {
    return this.#joinGroup([]);
  }

  /**
   * Writes the record of a call that is about to run. Returns a promise when the write must be waited for. Rejects with ToolkitError on failure;
   * the record is then not written later either.
   */
  writeIntent(record: CallRecord): Promise<void> | undefined {
    return this.#write({ record, kind: 'intent' });
  }

  /**
   * Writes the record of an ended call, of a refusal or of an approval. Returns a promise when the write must be waited for. It resolves when the
   * record is written, or when its failure is logged.
   */
  append(
    record: CallRecord,
    { kind, isHeld = false }: { readonly kind: Exclude<PendingRecord['kind'], 'intent'>; readonly isHeld?: boolean },
  ): Promise<void> | undefined {
    const pending: PendingRecord = { record, kind };
    if (!isHeld || !this.#isIdle) return this.#write(pending)?.catch(() => {});
    if (this.#held.length === 0) setImmediate(() => void this.writeHeld());
    this.#held.push(pending);
    return undefined;
  }

  /** Writes the records of calls whose answers are held back. Returns a promise when the write must be waited for. It never rejects. */
  writeHeld(): Promise<void> | undefined {
    if (this.#held.length > 0) void this.#write()?.catch(() => {});
    return this.#heldDone;
  }

  /** Writes waiting records, and closes the file. Throws when records are lost. */
  close(): Promise<void> {
    void this.writeHeld();
    return this.#enqueue(async () => {
      if (this.#isClosed) return;
      const count = () => this.#waiting.length + (this.#lost?.count ?? 0);
      if (count() > 0) await this.#flush().catch(() => {});
      this.#isClosed = true;
      await this.#writer.close();
      if (count() > 0)
        throw trailError(
          this.#options.path,
          `${count()} records were never written`,
          'The log names the calls that ran, and the approvals that changed, without one.',
        );
    });
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#jobCount++;
    const result = this.#queue.then(work).finally(() => this.#jobCount--);
    this.#queue = result.catch(() => {});
    return result;
  }

  /** True when no job is queued and a record can be written at once. */
  get #isIdle(): boolean {
    return this.#jobCount === 0 && this.#isHealthy && !this.#options.syncsEach;
  }

  /** Writes the held records, then this one. */
  #write(pending?: PendingRecord): Promise<void> | undefined {
    const records = pending === undefined ? this.#held.splice(0) : [...this.#held.splice(0), pending];
    const isShared = records.length > 1;
    if (this.#isIdle && (isShared || this.#writer.isQuick) && this.#writer.writeNow(records)) return undefined;
    const done = this.#joinGroup(records);
    const isHeld = isShared || pending === undefined;
    if (isHeld) this.#heldDone = this.#trackHeld(done);
    return done;
  }

  #trackHeld(group: Promise<void>): Promise<void> {
    const ended = group
      .catch(() => {})
      .then(() => {
        if (this.#heldDone === ended) this.#heldDone = undefined;
      });
    return ended;
  }

  #joinGroup(records: readonly PendingRecord[]): Promise<void> {
    this.#nextGroup ??= this.#beginGroup();
    this.#nextGroup.records.push(...records);
    return this.#nextGroup.done;
  }

  #beginGroup(): WriteGroup {
    const records: PendingRecord[] = [];
    const done = this.#enqueue(async () => {
      await endOfTurn();
      this.#nextGroup = undefined;
      if (this.#isHealthy && !this.#options.syncsEach && this.#writer.writeNow(records)) return;
      for (const record of records) this.#waiting.push(record);
      try {
        await this.#flush();
      } catch (error) {
        // The unwritten records of this group are the last ones.
        this.#storeUnwritten(this.#waiting.splice(Math.max(0, this.#waiting.length - records.length)), error as ToolkitError);
        throw error;
      }
    });
    return { records, done };
  }

  async #flush(): Promise<void> {
    try {
      if (this.#isClosed) throw trailError(this.#options.path, 'it is closed', 'A call ended after the kernel was closed.');
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
      throw this.#reportFailure(error);
    }
  }

  #reportFailure(thrown: unknown): ToolkitError {
    const error = asTrailError(this.#options.path, thrown);
    this.#writer.markSuspect();
    if (this.#failure === undefined) this.#repeats.reset();
    this.#failure = error;
    const isOpen = this.#options.onFailure === 'open';
    const effect = isOpen ? 'Calls go on without a record.' : 'Calls are refused until it can be.';
    this.#repeats.log((since) => this.#logger[isOpen ? 'warn' : 'error'](`${error.message} ${effect}${since}`, { code: error.code }));
    return error;
  }

  /** Queues unwritten records in memory, or counts them as lost. Logs each call that ran, and each event of an approval. */
  #storeUnwritten(records: readonly PendingRecord[], error: ToolkitError): void {
    const isOpen = this.#options.onFailure === 'open';
    for (const pending of records) {
      if (pending.kind === 'intent') continue;
      const isNeeded = pending.kind !== 'refused';
      const isKept = !this.#isClosed && (this.#waiting.length < maxWaiting || (isNeeded && !isOpen));
      if (isKept) this.#waiting.push(pending);
      else this.#lost = { count: (this.#lost?.count ?? 0) + 1, since: this.#lost?.since ?? pending.record.time };
      if (isNeeded && (!isOpen || this.#isClosed)) this.#nameUnrecorded(pending, isKept, error);
    }
  }

  #nameUnrecorded({ record, kind }: PendingRecord, isKept: boolean, error: ToolkitError): void {
    const { callId, tool, caller, outcome } = record;
    const isCall = kind !== 'approval';
    const state = isKept ? 'It waits in memory and is written when that is possible again.' : 'It is lost.';
    this.#logger.error(
      `${isCall ? 'A call ran' : 'An approval changed'}, and its audit record could not be written: ${problemOf(error)}. ${state}`,
      {
        ...(isCall ? { callId, outcome } : { approval: callId, event: outcome }),
        tool,
        caller,
      },
    );
  }
}

/** Resolves after all pending promises, and before the event loop turns. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
