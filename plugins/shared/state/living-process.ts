import { randomUUID } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';

/** Key prefix of live processes; the process id follows. */
export const processPrefix = 'process/';

const sayMs = 1000;

/**
 * Time without heartbeat after which a process counts as dead, in milliseconds. A poller that checks every second takes over its work
 * within five seconds.
 */
const silentMs = 3000;

/** Heartbeat of this process in the store, sent while it runs calls that other processes may wait for. */
export class LivingProcess {
  readonly id: string = randomUUID();
  readonly #state: StateStore;
  readonly #onSilent: () => void;
  #running = 0;
  #said: Promise<void> | undefined;
  #saidAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onMissed`: called when this process could not send its heartbeat for so long that others may have taken it for dead. */
  constructor(state: StateStore, onSilent: () => void = () => {}) {
    this.#state = state;
    this.#onSilent = onSilent;
  }

  /** Resolves when the first heartbeat is written. Call `leave` to end it. */
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

  /** True when the other process has sent a heartbeat recently. */
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
    // Measured from before the write: the store may have had it by then.
    const wasSilent = performance.now() - this.#saidAt >= silentMs;
    this.#saidAt = now;
    if (wasSilent) this.#onSilent();
  }
}
