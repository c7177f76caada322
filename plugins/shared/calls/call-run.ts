import { type EngineHost, type Liveness, ToolkitError } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';
import { type Outcome, outcomeOf } from './call-outcome.ts';
import type { CallRecord } from './call-record.ts';
import type { ReadRecord } from './call-records.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import { claimedBy, OutcomeWriter, type OutcomeWriterParts } from './outcome-writer.ts';
import { RunningCall } from './running-call.ts';

/** Maximum number of remembered claims. */
const maxDoubtfulClaims = 1000;

export interface CallRunParts extends OutcomeWriterParts {
  readonly changes: ChangeNotifier;
  readonly process: Liveness;
  readonly host: EngineHost;
}

/**
 * Runs calls in this process, from claim to end. A claim replaces only the waiting record. `OutcomeWriter` says which record an outcome
 * replaces.
 */
export class CallRun {
  readonly #parts: CallRunParts;
  readonly #outcomes: OutcomeWriter;
  /** By call key. */
  readonly #running = new Map<string, { readonly call: RunningCall; readonly attempt: number }>();

  /** Call keys of claims that the store may have got although it answered neither their write nor a read of the record. Their calls did not run. */
  readonly #doubtfulClaims = new Set<string>();

  constructor(parts: CallRunParts) {
    this.#parts = parts;
    this.#outcomes = new OutcomeWriter(parts);
  }

  /** Runs a waiting call, unless another process or another worker of this process claims it. */
  async claimAndRun(read: ReadRecord): Promise<void> {
    const { process } = this.#parts;
    await process.enter();
    try {
      if (!this.#running.has(read.callKey)) await this.#claim(read);
    } finally {
      process.leave();
    }
  }

  async #claim(read: ReadRecord): Promise<void> {
    const { process, changes } = this.#parts;
    const { callKey: place } = read;
    const attempt = read.record.attempts + 1;
    const { error: _error, ...before } = read.record;
    const startedAt = before.startedAt ?? Date.now();
    const record: CallRecord = { ...before, status: 'running', startedAt, attempts: attempt, by: process.id };
    const call = new RunningCall(record);
    this.#running.set(place, { call, attempt });
    this.#doubtfulClaims.delete(place);
    const unwatch = changes.on(keys.cancel(place), () => call.controller.abort(cancelled(record)));
    try {
      const mine = await this.#writeClaim(read, record);
      if (mine !== undefined) await this.#outcomes.write(mine, call, await this.#outcome(call));
    } finally {
      unwatch();
      this.#running.delete(place);
    }
  }

  /** True when the call runs in this process. */
  has(callKey: string): boolean {
    return this.#running.has(callKey);
  }

  /** Aborts calls that other processes have taken over because the store has not seen this process for too long. */
  async abortLost(): Promise<void> {
    const { records, process, logger } = this.#parts;
    logger.warn('the store has not seen this process for a while: other processes may have taken over the durable calls that it runs');
    for (const [place, { call, attempt }] of this.#running) {
      const read = await records.read(place);
      // Its claim may not be written yet.
      const isClaimed = read === undefined || read.record.attempts >= attempt;
      if (isClaimed && claimedBy(process, read, attempt) === undefined)
        call.controller.abort(new ToolkitError('ABORTED', 'Another process has taken the call over.', { isLost: true }));
    }
  }

  async #outcome(call: RunningCall): Promise<Outcome> {
    try {
      return { type: 'completed', result: await this.#parts.host.call(call.request) };
    } catch (error) {
      return outcomeOf(error, call.request.tool);
    }
  }

  #doubt(callKey: string): void {
    this.#doubtfulClaims.add(callKey);
    const [oldest = ''] = this.#doubtfulClaims;
    if (this.#doubtfulClaims.size > maxDoubtfulClaims) this.#doubtfulClaims.delete(oldest);
  }

  /** Writes the claim. A write that failed may have happened, so the record is read before the call counts as not claimed. */
  async #writeClaim(read: ReadRecord, record: CallRecord): Promise<ReadRecord | undefined> {
    const { records, process } = this.#parts;
    try {
      return await records.replace(read, record);
    } catch (error) {
      this.#doubt(read.callKey);
      const claimed = claimedBy(process, await records.read(read.callKey), record.attempts);
      this.#doubtfulClaims.delete(read.callKey);
      if (claimed === undefined) throw error;
      return claimed;
    }
  }

  /** Reschedules an orphaned call: its record says `running`, but no process runs it. */
  async rescheduleOrphan(read: ReadRecord): Promise<void> {
    const neverRan = read.record.by === this.#parts.process.id && this.#doubtfulClaims.has(read.callKey);
    await this.#outcomes.rescheduleOrphan(read, neverRan);
    this.#doubtfulClaims.delete(read.callKey);
  }
}

function cancelled({ tool }: CallRecord): ToolkitError {
  return new ToolkitError('ABORTED', `The durable call of "${tool}" was cancelled.`, { tool });
}
