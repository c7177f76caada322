import { randomBytes } from 'node:crypto';
import { type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

/** So long after it last said so, a process counts as alive, in milliseconds. */
const livesMs = 15_000;

/** How often it says so, in milliseconds. */
const beatMs = 4_000;

/** Which of the processes that share a store live. One says so from when it is first to be known. */
export class Processes {
  /** The name of this one: 8 hexadecimal digits. */
  readonly own = randomBytes(4).toString('hex');
  readonly #state: StateStore;
  readonly #logger: Pick<Logger, 'debug'>;
  #beat: NodeJS.Timeout | undefined;

  constructor(state: StateStore, logger: Pick<Logger, 'debug'>) {
    this.#state = state;
    this.#logger = logger;
  }

  /** Says that this one lives, until it is closed. Rejects where the store cannot be reached. */
  async begin(): Promise<void> {
    if (this.#beat !== undefined) return;
    this.#beat = setInterval(() => {
      this.#say().catch((error: unknown) => this.#logger.debug(`others were not told that this process lives: ${messageOf(error)}`));
    }, beatMs).unref();
    await this.#say();
  }

  async isAlive(name: string): Promise<boolean> {
    return name === this.own || (await this.#state.get(keyOf(name))) !== undefined;
  }

  /** Says that this one is gone. Does not reject: others see it soon. */
  async close(): Promise<void> {
    if (this.#beat === undefined) return;
    clearInterval(this.#beat);
    await this.#state.delete(keyOf(this.own)).catch(() => {});
  }

  #say(): Promise<void> {
    return this.#state.set(keyOf(this.own), '', { ttlMs: livesMs });
  }
}

function keyOf(name: string): string {
  return `process/${name}`;
}
