import { randomUUID } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';

/** Under keys that begin so, each with the id of a process that lives. */
export const processPrefix = 'process/';

const sayMs = 1000;

/** A process that says nothing for so long counts as dead, in milliseconds: who looks every second goes on with its work within five seconds. */
const silentMs = 3000;

/** Says in the store that this process lives, while it runs calls that others may wait for. */
export class LivingProcess {
  readonly id: string = randomUUID();
  readonly #state: StateStore;
  readonly #onSilent: () => void;
  #running = 0;
  #said: Promise<void> | undefined;
  #saidAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onSilent`: told when this one could say nothing for so long that others may have taken it for dead. */
  constructor(state: StateStore, onSilent: () => void = () => {}) {
    this.#state = state;
    this.#onSilent = onSilent;
  }

  /** Resolves when others know it. To be ended by `leave`. */
  async enter(): Promise<void> {
    this.#running++;
    this.#said ??= this.#begin();
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
    return (await this.#state.get(processPrefix + id)) !== undefined;
  }

  #begin(): Promise<void> {
    this.#saidAt = performance.now();
    return this.#say();
  }

  async #say(): Promise<void> {
    const now = performance.now();
    await this.#state.set(processPrefix + this.id, '', { ttlMs: silentMs });
    // Counted from before it was written: the store may have had it by then.
    const wasSilent = performance.now() - this.#saidAt >= silentMs;
    this.#saidAt = now;
    if (wasSilent) this.#onSilent();
  }
}
