import { EventEmitter } from 'node:events';
import { type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { Opened } from '../state/opened.ts';

/** Where nobody tells of a change, because who made it died in that moment, it is found after so long, in milliseconds. */
const lookMs = 5000;

/** What there are changes of: names of calls, which are written when one begins or ends, what is to be made, and what is to be cancelled. */
export type ChangeKind = 'id/' | 'queue/' | 'cancel/';

/** Tells what changes in the store of the calls. Watches from the first moment somebody wants to know. */
export class Changes {
  readonly #state: StateStore;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #watching = new Map<ChangeKind, Opened<() => Promise<void>>>();

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Resolves when changes of this kind are told from now on. Rejects where the store cannot be reached. */
  async open(kind: ChangeKind): Promise<void> {
    const watching = this.#watching.get(kind) ?? new Opened(() => this.#watch(kind));
    this.#watching.set(kind, watching);
    await watching.get();
  }

  /** Tells of one key, or of all of a kind. Returns what ends it. */
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
    await Promise.all([...this.#watching.values()].map(async (watching) => (await watching.close(closed()))?.()));
  }

  #watch(kind: ChangeKind): Promise<() => Promise<void>> {
    return this.#state.watch(kind, (key) => {
      this.#events.emit(key, key);
      this.#events.emit(kind, key);
    });
  }
}

function closed(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'Nobody tells of durable calls any more, because the kernel is closed.', {
    retryable: false,
  });
}
