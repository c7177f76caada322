import { randomUUID } from 'node:crypto';
import type { StateStore } from '../../kernel/index.ts';

/** A process that says nothing for so long counts as dead, in milliseconds. */
const silentMs = 5000;
const sayMs = 1000;

/** Says in the store that this process lives, while it runs calls that others may wait for. */
export class LivingProcess {
  readonly id: string = randomUUID();
  readonly #state: StateStore;
  #running = 0;
  #said: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Resolves when others know it. To be ended by `leave`. */
  async enter(): Promise<void> {
    this.#running++;
    this.#said ??= this.#say();
    this.#timer ??= setInterval(() => void this.#say().catch(() => {}), sayMs).unref();
    try {
      await this.#said;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    this.#running--;
    if (this.#running > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#said = undefined;
  }

  /** Whether another process has said so of late. */
  async lives(id: string): Promise<boolean> {
    return (await this.#state.get(`process/${id}`)) !== undefined;
  }

  #say(): Promise<void> {
    return this.#state.set(`process/${this.id}`, '', { ttlMs: silentMs });
  }
}
