import { EventEmitter } from 'node:events';
import type { StateStore } from '../../../kernel/index.ts';
import { StoreWatch } from '../cluster/store-watch.ts';

/** Poll interval in milliseconds, for a change whose notification was lost because the writer died. */
const pollIntervalMs = 5000;

/** Key prefixes to watch: names of calls (written at begin and end), queued calls, and cancellations. */
export type ChangeKind = 'id/' | 'queue/' | 'cancel/';

/** Notifies listeners of changes in the call store. Begins to watch with the first `open`. */
export class ChangeNotifier<Kind extends string = ChangeKind> {
  readonly #state: StateStore;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #watching = new Map<Kind, StoreWatch>();

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Resolves once changes of this kind are being watched. Rejects when the store cannot be reached. */
  async open(kind: Kind): Promise<void> {
    const watching = this.#watching.get(kind) ?? this.#watch(kind);
    this.#watching.set(kind, watching);
    await watching.open();
  }

  /** Listens to one key, or to all of a kind. Returns a function that ends it. */
  on(key: string, listener: (key: string) => void): () => void {
    this.#events.on(key, listener);
    return () => void this.#events.off(key, listener);
  }

  /**
   * Resolves to the first value that `check` gives. Calls it now, whenever the key changes, and every five seconds. Rejects with the
   * reason of `signal`.
   */
  async waitFor<T>(key: string, check: () => Promise<T | undefined>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      let wake: () => void = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const unwatch = this.on(key, wake);
      signal?.addEventListener('abort', wake, { once: true });
      const timer = setTimeout(wake, pollIntervalMs).unref();
      try {
        // It may have changed before the watch began.
        const found = await check();
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
    await Promise.all([...this.#watching.values()].map((watching) => watching.close()));
  }

  #watch(kind: Kind): StoreWatch {
    return new StoreWatch(this.#state, kind, (key) => {
      this.#events.emit(key, key);
      this.#events.emit(kind, key);
    });
  }
}
