import { setTimeout } from 'node:timers/promises';
import { type EngineHost, type Liveness, type Logger, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';
import { type Outcome, outcomeOf, retryDelayMs } from './call-outcome.ts';
import type { CallRecord } from './call-record.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import type { KnownEffects } from './known-effects.ts';
import { RunningCall } from './running-call.ts';
import { toStoredError } from './stored-error.ts';
import { storeResult } from './stored-result.ts';

export interface CallRunParts {
  readonly records: CallRecords;
  readonly changes: ChangeNotifier;
  readonly effects: KnownEffects;
  readonly process: Liveness;
  readonly host: EngineHost;
  readonly logger: Logger;
  readonly maxAttempts: number;
  readonly maxBytes: number;
}

/** Delay until an outcome that the store did not accept is written again, and how long that goes on while the kernel closes, in milliseconds. */
const retryIntervalMs = 500;
const maxClosingMs = 5000;

/**
 * Runs calls in this process, from claim to end. A claim replaces only the waiting record, and an outcome only the claimed record, or one that
 * says `unknown` of the same effect. A process that was wrongly taken for dead therefore writes nothing over a later attempt.
 */
export class CallRun {
  readonly #parts: CallRunParts;
  /** By call key. */
  readonly #running = new Map<string, { readonly call: RunningCall; readonly attempt: number }>();

  constructor(parts: CallRunParts) {
    this.#parts = parts;
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
    const unwatch = changes.on(keys.cancel(place), () => call.controller.abort(cancelled(record)));
    try {
      const mine = await this.#writeClaim(read, record);
      if (mine !== undefined) await this.#write(mine, call, await this.#outcome(call));
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
    const { records, logger } = this.#parts;
    logger.warn('the store has not seen this process for a while: other processes may have taken over the durable calls that it runs');
    for (const [place, { call, attempt }] of this.#running) {
      const read = await records.read(place);
      if (!this.#isClaimedHere(read, attempt))
        call.controller.abort(new ToolkitError('ABORTED', 'Another process has taken the call over.'));
    }
  }

  #isClaimedHere(read: ReadRecord | undefined, attempt: number): read is ReadRecord {
    return read?.record.status === 'running' && read.record.by === this.#parts.process.id && read.record.attempts === attempt;
  }

  async #outcome(call: RunningCall): Promise<Outcome> {
    try {
      return { type: 'completed', result: await this.#parts.host.call(call.request) };
    } catch (error) {
      return outcomeOf(error, call.request.tool);
    }
  }

  /** Writes the claim. A write that failed may have happened, so the record is read before the call counts as not claimed. */
  async #writeClaim(read: ReadRecord, record: CallRecord): Promise<ReadRecord | undefined> {
    const { records } = this.#parts;
    try {
      return await records.replace(read, record);
    } catch (error) {
      const found = await records.read(read.callKey);
      if (this.#isClaimedHere(found, record.attempts)) return found;
      throw error;
    }
  }

  /** Writes the outcome, again and again while the store cannot be reached. */
  async #write(claimed: ReadRecord, call: RunningCall, outcome: Outcome): Promise<void> {
    const { logger, host } = this.#parts;
    let closingSince: number | undefined;
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#writeOnce(claimed, call, outcome, isFirst);
      } catch (error) {
        if (host.closing.aborted) closingSince ??= performance.now();
        const isOver = closingSince !== undefined && performance.now() - closingSince > maxClosingMs;
        if (isOver || !ToolkitError.is(error) || error.code !== 'STATE_UNAVAILABLE' || !error.retryable) throw error;
        if (isFirst) logger.warn(`the outcome of a durable call of "${claimed.record.tool}" could not be written yet: ${messageOf(error)}`);
      }
      await setTimeout(retryIntervalMs);
    }
  }

  /** Writes the outcome. While the call runs, its record changes only by a cancellation or a takeover. */
  async #writeOnce(claimed: ReadRecord, call: RunningCall, outcome: Outcome, isFirst: boolean): Promise<void> {
    const { records, logger, maxBytes } = this.#parts;
    const { callKey, record } = claimed;
    const { attempts: attempt, tool } = record;
    const kept = outcome.type === 'completed' ? await storeResult(records, maxBytes, { callKey, attempt, tool }, outcome.result) : {};
    let read: ReadRecord | undefined = isFirst ? claimed : await records.read(callKey);
    while (this.#isClaimedHere(read, attempt)) {
      if ((await this.#writeOutcome(read, call, outcome, kept)) !== undefined) return;
      read = await records.read(callKey);
    }
    // An earlier write that failed has happened after all.
    if (!isFirst && isWrittenEnd(read, attempt)) return;
    if (await this.#replaceUnknown(read, claimed, outcome)) return;
    logger.warn(`the outcome of a durable call of "${tool}" was discarded: another process has taken the call over`);
  }

  /**
   * Replaces a provisional `unknown`, which another process wrote because it took this one for dead. What is known of the effect decides: an
   * attempt that was superseded does not replace anything. Returns false when there was nothing to replace.
   */
  async #replaceUnknown(found: ReadRecord | undefined, { record }: ReadRecord, outcome: Outcome): Promise<boolean> {
    const { effects, records } = this.#parts;
    for (let read = found; read?.record.status === 'unknown' && read.record.effect === record.effect; ) {
      const effect = await effects.of(read.record);
      const isRefused = effect.state === 'none' && outcome.type !== 'completed' && outcome.type !== 'done';
      if (effect.state !== 'done' && !isRefused) return false;
      const written = isRefused
        ? await records.end(read, { status: 'failed', error: toStoredError(outcome.error) })
        : await effects.complete(read, effect as typeof effect & { readonly state: 'done' });
      if (written !== undefined) return true;
      read = await records.read(read.callKey);
    }
    return false;
  }

  async #writeOutcome(read: ReadRecord, call: RunningCall, outcome: Outcome, kept: Partial<CallRecord>): Promise<unknown> {
    const { records, host } = this.#parts;
    const { isCancelled = false } = read.record;
    if (outcome.type === 'completed') return records.end(read, { status: 'completed', ...kept });
    const error = toStoredError(outcome.error);
    if (outcome.type === 'done') return records.end(read, { status: 'completed', error });
    if (outcome.type === 'unknown') return records.end(read, { status: 'unknown', error });
    if (isCancelled) return records.end(read, { status: 'cancelled', error });
    if (call.question !== undefined) {
      const { by: _by, ...record } = read.record;
      return records.replace(read, { ...record, status: 'asked', question: call.question });
    }
    if (outcome.type === 'again') return this.#scheduleRetry(read, outcome.error, retryDelayMs(read.record.failures + 1, outcome.error));
    if (outcome.type === 'aborted' && host.closing.aborted) return records.wait(read, read.record, Date.now());
    return records.end(read, { status: 'failed', error });
  }

  /** Reschedules an orphaned call: its record says `running`, but no process runs it. */
  async rescheduleOrphan(read: ReadRecord): Promise<unknown> {
    const { tool, isCancelled = false, failures } = read.record;
    const { effects, maxAttempts } = this.#parts;
    const isLast = isCancelled || failures + 1 >= maxAttempts;
    const effect = isLast ? await effects.of(read.record) : undefined;
    if (effect?.state === 'done') return effects.complete(read, effect);
    const message = isCancelled
      ? `"${tool}" was cancelled, and its process has died.`
      : `The process that ran "${tool}" has died. After too many attempts a call is not retried by itself.`;
    // Nothing was sent, or the tool only reads.
    const isWithoutEffect = effect?.state === 'none';
    const error = new ToolkitError(isWithoutEffect ? 'ABORTED' : 'OUTCOME_UNKNOWN', message, { tool });
    if (!isCancelled) return this.#scheduleRetry(read, error, 0);
    return this.#parts.records.end(read, { status: isWithoutEffect ? 'cancelled' : 'unknown', error: toStoredError(error) });
  }

  /** Schedules a retry, or ends the call after too many failures. */
  async #scheduleRetry(read: ReadRecord, error: ToolkitError, inMs: number): Promise<unknown> {
    const failures = read.record.failures + 1;
    const { records, maxAttempts } = this.#parts;
    const status = error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
    if (failures >= maxAttempts) return records.end(read, { status, error: toStoredError(error), failures });
    return records.wait(read, { ...read.record, failures, error: toStoredError(error) }, Date.now() + inMs);
  }
}

/** True when the attempt has ended in the record. */
function isWrittenEnd(read: ReadRecord | undefined, attempt: number): boolean {
  return read?.record.attempts === attempt && read.record.status !== 'unknown';
}

function cancelled({ tool }: CallRecord): ToolkitError {
  return new ToolkitError('ABORTED', `The durable call of "${tool}" was cancelled.`, { tool });
}
