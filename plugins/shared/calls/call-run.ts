import { type CallOutput, type EngineHost, type Liveness, type Logger, ToolkitError } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';
import { type Outcome, outcomeOf, retryDelayMs } from './call-outcome.ts';
import type { CallRecord } from './call-record.ts';
import type { CallRecords, ReadRecord } from './call-records.ts';
import type { ChangeNotifier } from './change-notifier.ts';
import { RunningCall } from './running-call.ts';
import { toStoredError } from './stored-error.ts';

export interface CallRunParts {
  readonly records: CallRecords;
  readonly changes: ChangeNotifier;
  readonly process: Liveness;
  readonly host: EngineHost;
  readonly logger: Logger;
  readonly maxAttempts: number;
  readonly maxBytes: number;
}

/**
 * Runs calls in this process, from claim to end. A claim replaces only the waiting record, and an outcome only the claimed record. A
 * process that was wrongly taken for dead therefore writes nothing.
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
    const { records, process, changes } = this.#parts;
    const { callKey: place } = read;
    const attempt = read.record.attempts + 1;
    const { error: _error, ...before } = read.record;
    const startedAt = before.startedAt ?? Date.now();
    const record: CallRecord = { ...before, status: 'running', startedAt, attempts: attempt, by: process.id };
    const call = new RunningCall(record);
    this.#running.set(place, { call, attempt });
    const unwatch = changes.on(keys.cancel(place), () => call.controller.abort(cancelled(record)));
    try {
      const mine = await records.replace(read, record);
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

  /** Writes the outcome. While the call runs, its record changes only by a cancellation or a takeover. */
  async #write(claimed: ReadRecord, call: RunningCall, outcome: Outcome): Promise<void> {
    const { records, logger } = this.#parts;
    const { callKey: place, record } = claimed;
    const kept = outcome.type === 'completed' ? await this.#storeResult(place, record.attempts, outcome.result) : {};
    let read: ReadRecord | undefined = claimed;
    while (this.#isClaimedHere(read, record.attempts)) {
      if ((await this.#writeOutcome(read, call, outcome, kept)) !== undefined) return;
      read = await records.read(place);
    }
    logger.warn(`the outcome of a durable call of "${record.tool}" was discarded: another process has taken the call over`);
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
    const { tool, isCancelled = false } = read.record;
    const message = isCancelled
      ? `"${tool}" was cancelled, and its process has died.`
      : `The process that ran "${tool}" has died. After too many attempts a call is not retried by itself.`;
    const error = new ToolkitError('OUTCOME_UNKNOWN', message, { tool });
    if (isCancelled) return this.#parts.records.end(read, { status: 'unknown', error: toStoredError(error) });
    return this.#scheduleRetry(read, error, 0);
  }

  /** Schedules a retry, or ends the call after too many failures. */
  async #scheduleRetry(read: ReadRecord, error: ToolkitError, inMs: number): Promise<unknown> {
    const failures = read.record.failures + 1;
    const { records, maxAttempts } = this.#parts;
    const status = error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed';
    if (failures >= maxAttempts) return records.end(read, { status, error: toStoredError(error), failures });
    return records.wait(read, { ...read.record, failures, error: toStoredError(error) }, Date.now() + inMs);
  }

  /** Returns the record members for a result, after storing it. A result above `maxBytes` becomes an OUTPUT_TOO_LARGE error. */
  async #storeResult(callKey: string, attempt: number, { output, content, tool }: CallOutput): Promise<Partial<CallRecord>> {
    const { records, maxBytes } = this.#parts;
    const result = { output, ...(content === undefined ? {} : { content }) };
    const text = JSON.stringify(result);
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxBytes) return records.storeResult(callKey, attempt, result, text);
    const message = `"${tool.name}" has run, but its result of ${bytes} bytes could not be stored: at most ${maxBytes} bytes are (maxBytes of the engine).`;
    return { error: toStoredError(new ToolkitError('OUTPUT_TOO_LARGE', message)) };
  }
}

function cancelled({ tool }: CallRecord): ToolkitError {
  return new ToolkitError('ABORTED', `The durable call of "${tool}" was cancelled.`, { tool });
}
