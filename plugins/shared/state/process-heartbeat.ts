import { randomUUID } from 'node:crypto';
import type { StateStore } from '../../../kernel/index.ts';

/** Key prefix of live processes; the process id follows. */
export const processPrefix = 'process/';

const heartbeatMs = 1000;

/**
 * Time without heartbeat after which a process counts as dead, in milliseconds. A poller that checks every second takes over its work
 * within five seconds.
 */
const missedHeartbeatMs = 3000;

/** Heartbeat of this process in the store, sent while it runs calls that other processes may wait for. */
export class ProcessHeartbeat {
  readonly id: string = randomUUID();
  readonly #state: StateStore;
  readonly #onMissed: () => void;
  #running = 0;
  #firstHeartbeat: Promise<void> | undefined;
  #lastHeartbeatAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onMissed`: called when this process could not send its heartbeat for so long that others may have taken it for dead. */
  constructor(state: StateStore, onMissed: () => void = () => {}) {
    this.#state = state;
    this.#onMissed = onMissed;
  }

  /** Resolves when the first heartbeat is written. Call `leave` to end it. */
  async enter(): Promise<void> {
    this.#running++;
    this.#firstHeartbeat ??= this.#start();
    this.#timer ??= setInterval(() => void this.#sendHeartbeat().catch(() => {}), heartbeatMs).unref();
    try {
      await this.#firstHeartbeat;
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
    this.#firstHeartbeat = undefined;
  }

  /** True when the other process has sent a heartbeat recently. */
  async isAlive(id: string): Promise<boolean> {
    return (await this.#state.get(processPrefix + id)) !== undefined;
  }

  #start(): Promise<void> {
    this.#lastHeartbeatAt = performance.now();
    return this.#sendHeartbeat();
  }

  async #sendHeartbeat(): Promise<void> {
    const now = performance.now();
    await this.#state.set(processPrefix + this.id, '', { ttlMs: missedHeartbeatMs });
    // Measured from before the write: the store may have had it by then.
    const wasMissed = performance.now() - this.#lastHeartbeatAt >= missedHeartbeatMs;
    this.#lastHeartbeatAt = now;
    if (wasMissed) this.#onMissed();
  }
}
