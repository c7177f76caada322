import type { ListOptions, Liveness, StateEntry } from '../../../kernel/index.ts';
import type { GrantsStore } from './grants-store.ts';

/** Statements of grants that a store runs at the same time. Fewer than its connections, which other plugins need as well. */
const maxRunning = 4;

/**
 * A store whose further statements wait here, for as long as it takes: the connections of a store are few, and one that waits there for too long
 * fails. Changes go before reads, because a rotated refresh token that is not written is lost.
 */
export class LimitedStore implements GrantsStore {
  readonly #store: GrantsStore;
  readonly #waitingChanges: (() => void)[] = [];
  readonly #waitingReads: (() => void)[] = [];
  #running = 0;

  constructor(store: GrantsStore) {
    this.#store = store;
  }

  get(key: string): Promise<string | undefined> {
    return this.#run(this.#waitingReads, () => this.#store.get(key));
  }

  list(prefix: string, options?: ListOptions): Promise<readonly StateEntry[]> {
    return this.#run(this.#waitingReads, () => this.#store.list(prefix, options));
  }

  compareAndSet(key: string, expected: string | undefined, value: string | undefined): Promise<boolean> {
    return this.#run(this.#waitingChanges, () => this.#store.compareAndSet(key, expected, value));
  }

  delete(key: string): Promise<boolean> {
    return this.#run(this.#waitingChanges, () => this.#store.delete(key));
  }

  watch(prefix: string, onChange: (key: string) => void): Promise<() => Promise<void>> {
    return this.#store.watch(prefix, onChange);
  }

  join(): Liveness {
    return this.#store.join();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #run<T>(waiting: (() => void)[], statement: () => Promise<T>): Promise<T> {
    if (this.#running < maxRunning) this.#running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await statement();
    } finally {
      const next = this.#waitingChanges.shift() ?? this.#waitingReads.shift();
      // The next one has this place.
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
