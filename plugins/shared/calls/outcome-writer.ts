import { setTimeout } from 'node:timers/promises';
import {
  type ApprovalQuestion,
  type EngineHost,
  type KnownEffect,
  type Liveness,
  type Logger,
  messageOf,
  sentence,
  ToolkitError,
} from '../../../kernel/index.ts';
import { type Outcome, retryDelayMs } from './call-outcome.ts';
import type { CallRecord } from './call-record.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import type { KnownEffects } from './known-effects.ts';
import type { RunningCall } from './running-call.ts';
import { toStoredError } from './stored-error.ts';
import { storeResult } from './stored-result.ts';

/** Delay until an outcome that the store did not accept is written again, and how long that goes on while the kernel closes, in milliseconds. */
const retryIntervalMs = 500;
const maxClosingMs = 5000;

export interface OutcomeWriterParts {
  readonly records: CallRecords;
  readonly effects: KnownEffects;
  readonly process: Pick<Liveness, 'id'>;
  readonly host: Pick<EngineHost, 'closing' | 'approvals'>;
  readonly logger: Logger;
  readonly maxAttempts: number;
  readonly maxBytes: number;
}

/** Returns the record when this process runs this attempt of the call. */
export function claimedBy({ id }: Pick<Liveness, 'id'>, read: ReadRecord | undefined, attempt: number): ReadRecord | undefined {
  return read?.record.status === 'running' && read.record.by === id && read.record.attempts === attempt ? read : undefined;
}

/**
 * Writes how calls end. An outcome replaces only the record that its run has claimed, or one that is `unknown`, or waits to run again, of the
 * same effect: a process that was wrongly taken for dead writes nothing over a later attempt.
 */
export class OutcomeWriter {
  readonly #parts: OutcomeWriterParts;

  constructor(parts: OutcomeWriterParts) {
    this.#parts = parts;
  }

  /** Writes the outcome, again and again while the store cannot be reached. */
  async write(claimed: ReadRecord, call: RunningCall, outcome: Outcome): Promise<void> {
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
    const { records, process, logger, maxBytes } = this.#parts;
    const { callKey, record } = claimed;
    const { attempts: attempt, tool } = record;
    const kept = outcome.type === 'completed' ? await storeResult(records, maxBytes, { callKey, attempt, tool }, outcome.result) : {};
    let read: ReadRecord | undefined = isFirst ? claimed : await records.read(callKey);
    for (let mine = claimedBy(process, read, attempt); mine !== undefined; mine = claimedBy(process, read, attempt)) {
      if ((await this.#writeOutcome(withApproval(mine, call), call, outcome, kept)) !== undefined) return;
      read = await records.read(callKey);
    }
    if (await this.#replaceProvisional(read, claimed, outcome)) return;
    // An earlier write that failed has happened after all.
    if (!isFirst && read?.record.attempts === attempt) return;
    logger.warn(`the outcome of a durable call of "${tool}" was discarded: another process has taken the call over`);
  }

  /**
   * Ends a call that is `unknown` or waits to run again, because another process took this one for dead. What is known of the effect decides:
   * an attempt that was superseded does not replace anything. Returns false when there was nothing to replace.
   */
  async #replaceProvisional(found: ReadRecord | undefined, { record }: ReadRecord, outcome: Outcome): Promise<boolean> {
    const { effects, records } = this.#parts;
    for (let read = found; read !== undefined && read.record.effect === record.effect; read = await records.read(read.callKey)) {
      const { status } = read.record;
      if (status !== 'unknown' && status !== 'waiting') return false;
      const effect = await effects.of(read.record);
      if (effect.state === 'open') return false;
      if (effect.state === 'done') {
        if ((await effects.complete(read, effect)) !== undefined) return true;
        continue;
      }
      // A call that waits finds out by itself that it was refused.
      if (status === 'waiting' || outcome.type === 'completed' || outcome.type === 'done') return false;
      if ((await records.end(read, { status: 'failed', error: toStoredError(outcome.error) })) !== undefined) return true;
    }
    return false;
  }

  async #writeOutcome(read: ReadRecord, call: RunningCall, outcome: Outcome, kept: Partial<CallRecord>): Promise<unknown> {
    const { records, effects, host } = this.#parts;
    const { isCancelled = false } = read.record;
    if (outcome.type === 'completed') return records.end(read, { status: 'completed', ...kept });
    const error = toStoredError(outcome.error);
    if (outcome.type === 'done') return records.end(read, { status: 'completed', error });
    if (outcome.type === 'unknown') {
      const ended = await records.end(read, { status: 'unknown', error });
      // The outcome may have arrived since the call ended.
      return ended === undefined ? undefined : effects.settle(ended);
    }
    if (isCancelled) return records.end(read, { status: 'cancelled', error });
    if (call.question !== undefined) return this.#writeQuestion(read, call.question);
    if (outcome.type === 'again') return this.#scheduleRetry(read, outcome.error, retryDelayMs(read.record.failures + 1, outcome.error));
    if (outcome.type === 'aborted' && host.closing.aborted) return records.wait(read, read.record, Date.now());
    return this.#writeFailure(read, outcome.error);
  }

  /** Writes that a person is asked. A decision may have come since the call asked: then the host continues it. */
  async #writeQuestion(read: ReadRecord, question: ApprovalQuestion): Promise<unknown> {
    const { records, host } = this.#parts;
    const { by: _by, ...record } = read.record;
    const asked = await records.replace(read, { ...record, status: 'asked', question });
    if (asked?.record.approval !== undefined) await host.approvals?.asked(asked.record.approval);
    return asked;
  }

  /** Ends a call that failed. Where it may have had its effect, that is found out by another run, or the call is `unknown`. */
  async #writeFailure(read: ReadRecord, error: ToolkitError): Promise<unknown> {
    const { effects } = this.#parts;
    // The effect of this name is that of another call.
    const effect: KnownEffect = error.details['isReusedName'] === true ? { state: 'none' } : await effects.of(read.record);
    if (effect.state === 'open' && effect.isRetryable === true)
      return this.#scheduleRetry(read, error, retryDelayMs(read.record.failures + 1, error));
    return this.#endWith(read, effect, error);
  }

  /** Ends a call that is not retried, by what is known of its effect. */
  async #endWith(read: ReadRecord, effect: KnownEffect, error: ToolkitError, more: Partial<CallRecord> = {}): Promise<unknown> {
    const { effects, records } = this.#parts;
    if (effect.state === 'done') return effects.complete(read, effect);
    const isUnknown = effect.state === 'open' || error.code === 'OUTCOME_UNKNOWN';
    const stored = isUnknown ? toUnknownError(error, read.record.tool) : error;
    return records.end(read, { ...more, status: isUnknown ? 'unknown' : 'failed', error: toStoredError(stored) });
  }

  /**
   * Reschedules an orphaned call: its record says `running`, but no process runs it. `neverRan`: it did not run, because this process did not learn
   * in time that its claim was written.
   */
  async rescheduleOrphan(read: ReadRecord, neverRan: boolean): Promise<unknown> {
    const { tool, isCancelled = false, failures } = read.record;
    const { records, effects, process, maxAttempts } = this.#parts;
    if (neverRan && !isCancelled) return records.wait(read, read.record, Date.now());
    const why = read.record.by === process.id ? 'its outcome could not be written' : 'its process has died';
    const isLast = isCancelled || failures + 1 >= maxAttempts;
    const effect = isLast ? await effects.of(read.record) : undefined;
    const message = isCancelled
      ? `"${tool}" was cancelled, and ${why}.`
      : `"${tool}" has ended without a result, because ${why}. After too many attempts a call is not retried by itself.`;
    // Nothing was sent, or the tool only reads.
    const isWithoutEffect = effect?.state === 'none';
    const error = new ToolkitError(isWithoutEffect ? 'ABORTED' : 'OUTCOME_UNKNOWN', message, { tool });
    if (!isCancelled || effect === undefined) return this.#scheduleRetry(read, error, 0);
    if (isWithoutEffect) return records.end(read, { status: 'cancelled', error: toStoredError(error) });
    return this.#endWith(read, effect, error);
  }

  /** Schedules a retry, or ends the call after too many failures. */
  async #scheduleRetry(read: ReadRecord, error: ToolkitError, inMs: number): Promise<unknown> {
    const failures = read.record.failures + 1;
    const { records, effects, maxAttempts } = this.#parts;
    if (failures >= maxAttempts) return this.#endWith(read, await effects.of(read.record), error, { failures });
    return records.wait(read, { ...read.record, failures, error: toStoredError(error) }, Date.now() + inMs);
  }
}

/** Returns the record with the approval of this run, by which a retry finds it. */
function withApproval(read: ReadRecord, { approval }: RunningCall): ReadRecord {
  return approval === undefined ? read : { ...read, record: { ...read.record, approval } };
}

/** Returns the error of a call whose effect is open after this failure. */
function toUnknownError(error: ToolkitError, tool: string): ToolkitError {
  if (error.code === 'OUTCOME_UNKNOWN') return error;
  const message = `Whether "${tool}" has had its effect is unknown: ${error.code}: ${sentence(error.message)} It is not retried automatically. Check whether it took effect; if not, retry it with "repeatEffect".`;
  return new ToolkitError('OUTCOME_UNKNOWN', message, { tool }, { cause: error });
}
