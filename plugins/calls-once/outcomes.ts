import { type Logger, messageOf } from '../../kernel/index.ts';
import type { Intent, Intents, ReadIntent } from './intent.ts';

const retryIntervalMs = 1000;

/** An outcome that the store has not accepted yet. */
interface Unwritten {
  readonly id: string;
  readonly written: ReadIntent;
  readonly end: Intent | undefined;
  readonly isWritten: () => void;
}

/** Writes the outcomes of calls, and retries until the store accepts them. Other processes wait until then, because the outcome is known here. */
export class Outcomes {
  readonly #intents: Intents;
  readonly #logger: Logger;
  readonly #waiting = new Set<Unwritten>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intents: Intents, logger: Logger) {
    this.#intents = intents;
    this.#logger = logger;
  }

  /** Writes an outcome. Undefined `end`: as if the call had not been made. `isWritten` runs when the store has it. Never rejects. */
  async write(id: string, written: ReadIntent, end: Intent | undefined, isWritten: () => void): Promise<void> {
    const unwritten = { id, written, end, isWritten };
    if (await this.#write(unwritten, (message) => this.#logger.error(message))) return;
    this.#waiting.add(unwritten);
    this.#timer ??= setInterval(() => void this.#retry(), retryIntervalMs).unref();
  }

  /** Tries once more. Outcomes that fail again count as unknown. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#retry();
  }

  async #retry(): Promise<void> {
    await Promise.all(
      [...this.#waiting].map(async (unwritten) => (await this.#write(unwritten, () => {})) && this.#waiting.delete(unwritten)),
    );
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #write({ id, written, end, isWritten }: Unwritten, report: (message: string) => void): Promise<boolean> {
    try {
      await this.#intents.end(id, written, end);
      isWritten();
      return true;
    } catch (error) {
      report(`the outcome of a call of "${written.intent.attempt.tool}" could not be written yet: ${messageOf(error)}`);
      return false;
    }
  }
}
