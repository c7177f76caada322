import { EventEmitter } from 'node:events';
import type { StateStore } from '../../../kernel/index.ts';

/** Where nobody tells of a change, because who made it died in that moment, it is found after so long, in milliseconds. */
const lookMs = 5000;

/** Tells what changes in the store of the calls. Watches from the first moment somebody wants to know. */
export class Changes {
  readonly #state: StateStore;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #watching: Promise<() => Promise<void>> | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Resolves when changes from now on are told. Rejects where the store cannot be reached. */
  async open(): Promise<void> {
    this.#watching ??= this.#state
      .watch('', (key) => {
        this.#events.emit(key, key);
        this.#events.emit(key.slice(0, key.indexOf('/') + 1), key);
      })
      .catch((error: unknown) => {
        this.#watching = undefined;
        throw error;
      });
    await this.#watching;
  }

  /** Tells of one key, or, where it ends with its first slash, of all that begin so. Returns what ends it. */
  on(key: string, listener: (key: string) => void): () => void {
    this.#events.on(key, listener);
    return () => void this.#events.off(key, listener);
  }

  /** What `look` gives, as soon as it gives something: it is asked now, whenever the key changes, and every five seconds. Rejects with the reason of `signal`. */
  async until<T>(key: string, look: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      let wake: () => void = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const unwatch = this.on(key, wake);
      signal?.addEventListener('abort', wake, { once: true });
      const timer = setTimeout(wake, lookMs).unref();
      try {
        // It may have changed before anybody watched.
        const found = await look();
        if (found !== undefined) return found;
        signal?.throwIfAborted();
        await woken;
      } finally {
        clearTimeout(timer);
        unwatch();
        signal?.removeEventListener('abort', wake);
      }
    }
  }

  async close(): Promise<void> {
    const stop = await this.#watching?.catch(() => undefined);
    await stop?.();
  }
}
