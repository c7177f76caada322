import { ToolkitError } from '../../kernel/index.ts';

/** Limits the calls of one server at the same time. Others wait in order, up to a limit. */
export class CallQueue {
  readonly #server: string;
  readonly #maxQueued: number;
  #limit: number;
  #running = 0;
  readonly #waiting = new Set<() => void>();

  constructor(server: string, limit: number, maxQueued: number) {
    this.#server = server;
    this.#limit = limit;
    this.#maxQueued = maxQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#waiting.size;
  }

  /** Lets calls run one by one from now on. Those that run go on. */
  runOneByOne(): void {
    this.#limit = 1;
  }

  /** Resolves with a function that frees the slot. Throws RATE_LIMITED when too many wait, and the reason of the signal. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#running >= this.#limit) {
      if (this.#waiting.size >= this.#maxQueued) {
        const message = `The MCP server "${this.#server}" has ${this.#running} calls that run and ${this.#waiting.size} that wait. Try again soon.`;
        throw new ToolkitError('RATE_LIMITED', message, { server: this.#server });
      }
      await this.#wait(signal);
    } else this.#running++;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#running--;
      this.#next();
    };
  }

  /** Waits for a slot, which is then counted already. */
  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', stop);
        this.#running++;
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  #next(): void {
    for (const begin of this.#waiting) {
      if (this.#running >= this.#limit) return;
      this.#waiting.delete(begin);
      begin();
    }
  }
}
