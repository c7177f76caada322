import { EventEmitter } from 'node:events';
import { LazyResource } from '../../shared/state/lazy-resource.ts';
import { closedError } from './grant-errors.ts';
import type { GrantsStore } from './grants-store.ts';

/** A wait for the next change of one key. */
export interface ChangeListener {
  /** Resolves to true after a change since `listen`, to false after `timeoutMs`. */
  within(timeoutMs: number): Promise<boolean>;
  end(): void;
}

/** Reports changes of the entries with one prefix to those that wait for one of them. Changes may go unreported: waiters poll as well. */
export class GrantChanges {
  readonly #emitter = new EventEmitter().setMaxListeners(0);
  readonly #watch: LazyResource<() => Promise<void>>;

  constructor(store: GrantsStore, prefix: string) {
    this.#watch = new LazyResource(() => store.watch(prefix, (key) => this.#emitter.emit(key)));
  }

  /** Listens before the value is read, so that no change is missed. */
  listen(key: string): ChangeListener {
    this.#watch.get().catch(() => {});
    let hasChanged = false;
    let wake = (): void => {};
    const note = (): void => {
      hasChanged = true;
      wake();
    };
    this.#emitter.on(key, note);
    return {
      within: (timeoutMs) =>
        new Promise((resolve) => {
          if (hasChanged) return resolve(true);
          const timer = setTimeout(() => resolve(false), timeoutMs);
          wake = () => {
            clearTimeout(timer);
            resolve(true);
          };
        }),
      end: () => void this.#emitter.off(key, note),
    };
  }

  /** Ends the watch, and wakes all that wait. */
  async close(): Promise<void> {
    for (const key of this.#emitter.eventNames()) this.#emitter.emit(key);
    await (await this.#watch.close(closedError()))?.().catch(() => {});
  }
}
