import { type Logger, messageOf } from '../../kernel/index.ts';
import type { Intent, Intents, ReadIntent } from './intent.ts';

const retryIntervalMs = 1000;

/** Delay between two tries while the kernel closes, and how long they go on, in milliseconds: less than the kernel gives a plugin. */
const closingIntervalMs = 250;
const maxClosingMs = 5000;

/** An outcome to be written. */
export interface AttemptEnd {
  readonly id: string;
  readonly written: ReadIntent;
  /** Undefined: as if the call had not been made. */
  readonly end: Intent | undefined;
  /** See `Intents.replace`. */
  readonly timerMs?: number;
  /** Runs when the store has the outcome. */
  readonly isWritten: () => void;
}

/** Writes the outcomes of calls, and retries until the store accepts them. Other processes wait until then, because the outcome is known here. */
export class Outcomes {
  readonly #intents: Intents;
  readonly #logger: Logger;
  readonly #waiting = new Set<AttemptEnd>();
  /** Two tries of one outcome may overlap. */
  readonly #written = new WeakSet<AttemptEnd>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intents: Intents, logger: Logger) {
    this.#intents = intents;
    this.#logger = logger;
  }

  /** Writes an outcome. Never rejects. */
  async write(end: AttemptEnd): Promise<void> {
    try {
      await this.#write(end);
    } catch (error) {
      const { tool } = end.written.intent.attempt;
      this.#logger.error(`the outcome of a call of "${tool}" could not be written yet: ${messageOf(error)}`);
      this.#waiting.add(end);
      this.#timer ??= setInterval(() => void this.#retry(), retryIntervalMs).unref();
    }
  }

  /** Writes the outcomes of one intent that wait. Rejects with STATE_UNAVAILABLE when the store does not accept them. */
  async flush(id: string): Promise<void> {
    for (const end of [...this.#waiting].filter((waiting) => waiting.id === id)) {
      await this.#write(end);
      this.#waiting.delete(end);
    }
  }

  /** Goes on trying for five seconds. Outcomes that the store has not accepted then count as unknown. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const startedAt = performance.now();
    await this.#retry();
    while (this.#waiting.size > 0 && performance.now() - startedAt < maxClosingMs) {
      await new Promise((resolve) => setTimeout(resolve, closingIntervalMs));
      await this.#retry();
    }
  }

  async #retry(): Promise<void> {
    await Promise.all(
      [...this.#waiting].map((end) =>
        this.#write(end).then(
          () => this.#waiting.delete(end),
          () => {},
        ),
      ),
    );
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #write(attemptEnd: AttemptEnd): Promise<void> {
    const { id, written, end, timerMs, isWritten } = attemptEnd;
    await this.#intents.end(id, written, end, timerMs);
    if (this.#written.has(attemptEnd)) return;
    this.#written.add(attemptEnd);
    isWritten();
  }
}
