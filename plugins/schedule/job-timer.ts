import { type DurableCalls, type Logger, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { PlannedJob } from './jobs.ts';

/** Maximum lateness of a call, in milliseconds. Later ones are skipped: the process or machine was asleep, or the store was away. */
const maxLatenessMs = 60_000;

/** Retry delay of a submission, in milliseconds. */
const retryDelayMs = 1000;

/** Maximum time between two checks of the clock, in milliseconds: it may have been set, and timers stop while a machine sleeps. */
const maxTimerMs = 30_000;

export interface JobTimerParts {
  readonly calls: DurableCalls;
  readonly closing: AbortSignal;
  readonly logger: Logger;
}

/** Submits the calls of one job when they are due, starting now. */
export class JobTimer {
  readonly #job: PlannedJob;
  readonly #parts: JobTimerParts;
  readonly #submitting = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(job: PlannedJob, parts: JobTimerParts) {
    this.#job = job;
    this.#parts = parts;
    this.#scheduleNext(Date.now());
  }

  /** Resolves when no submission is in progress. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(this.#submitting);
  }

  #scheduleNext(time: number): void {
    const { id, next } = this.#job;
    const { logger } = this.#parts;
    const due = next(time);
    if (due === undefined) {
      logger.info(`the job "${id}" is not due any more`);
      return;
    }
    this.#waitUntil(due, () => {
      const oldest = Date.now() - maxLatenessMs;
      if (due < oldest)
        logger.warn(
          `the job "${id}" was due at ${isoTime(due)}, while this process was held up: times longer ago than a minute are skipped`,
        );
      else this.#startSubmission(due);
      this.#scheduleNext(Math.max(due, oldest));
    });
  }

  #waitUntil(time: number, work: () => void): void {
    this.#setTimer(Math.min(time - Date.now(), maxTimerMs), () => (Date.now() < time ? this.#waitUntil(time, work) : work()));
  }

  #setTimer(ms: number, work: () => void): void {
    if (this.#parts.closing.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms).unref();
    this.#timers.add(timer);
  }

  #startSubmission(due: number): void {
    const work = this.#submit(due).finally(() => this.#submitting.delete(work));
    this.#submitting.add(work);
  }

  async #submit(due: number): Promise<void> {
    const { id, tool, parameters, caller } = this.#job;
    const { calls, closing, logger } = this.#parts;
    if (closing.aborted) return;
    try {
      await calls.submit(tool, parameters, { durable: true, id: `${id} ${isoTime(due)}`, caller });
    } catch (error) {
      if (ToolkitError.is(error) && error.retryable && Date.now() - due < maxLatenessMs)
        return this.#setTimer(retryDelayMs, () => this.#startSubmission(due));
      logger.error(`the call of the job "${id}" that was due at ${isoTime(due)} is not made: ${messageOf(error)}`);
    }
  }
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
