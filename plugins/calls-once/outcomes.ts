import { type Logger, messageOf } from '../../kernel/index.ts';
import type { Intent, Intents, ReadIntent } from './intent.ts';

const againMs = 1000;

/** An end that the store has not taken yet. */
interface Unwritten {
  readonly id: string;
  readonly written: ReadIntent;
  readonly end: Intent | undefined;
  readonly isWritten: () => void;
}

/** Writes how calls ended. What the store does not take is written when it does: until then others wait, for what it came to is known here. */
export class Outcomes {
  readonly #intents: Intents;
  readonly #logger: Logger;
  readonly #waiting = new Set<Unwritten>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intents: Intents, logger: Logger) {
    this.#intents = intents;
    this.#logger = logger;
  }

  /** Never rejects. Undefined in `end`: as if the call had not been made. `isWritten` is called when the store has it. */
  async write(id: string, written: ReadIntent, end: Intent | undefined, isWritten: () => void): Promise<void> {
    const unwritten = { id, written, end, isWritten };
    if (await this.#write(unwritten, (message) => this.#logger.error(message))) return;
    this.#waiting.add(unwritten);
    this.#timer ??= setInterval(() => void this.#again(), againMs).unref();
  }

  /** Tries once more. What is not written then counts as unknown. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#again();
  }

  async #again(): Promise<void> {
    await Promise.all(
      [...this.#waiting].map(async (unwritten) => (await this.#write(unwritten, () => {})) && this.#waiting.delete(unwritten)),
    );
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #write({ id, written, end, isWritten }: Unwritten, say: (message: string) => void): Promise<boolean> {
    try {
      await this.#intents.end(id, written, end);
      isWritten();
      return true;
    } catch (error) {
      say(`how a call of "${written.intent.attempt.tool}" ended could not be written yet: ${messageOf(error)}`);
      return false;
    }
  }
}
