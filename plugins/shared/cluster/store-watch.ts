import { type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { LazyResource } from '../state/lazy-resource.ts';

/** A watch of all keys with one prefix in the shared store. It begins with the first `open`, and again after one that failed. */
export class StoreWatch {
  readonly #opened: LazyResource<() => Promise<void>>;

  /** `onChange`: called with the key of each change, as `StateStore.watch` does. */
  constructor(state: StateStore, prefix: string, onChange: (key: string) => void) {
    this.#opened = new LazyResource(() => state.watch(prefix, onChange));
  }

  /** Resolves when changes are reported. Rejects with STATE_UNAVAILABLE when the store cannot be reached, and once it is closed. */
  async open(): Promise<void> {
    await this.#opened.get();
  }

  /** Ends the watch. Does not reject. */
  async close(): Promise<void> {
    await (await this.#opened.close(closedError()))?.().catch(() => {});
  }
}

function closedError(): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', 'The store is no longer watched, because the kernel is closed.', { retryable: false });
}
