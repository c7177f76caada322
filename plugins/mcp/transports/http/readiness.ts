import type { Logger, StateStore } from '../../../../kernel/index.ts';
import { OptionalState } from '../../../shared/state/optional-state.ts';

/** Cache time of the store's state, and pause after a failed check, in milliseconds. */
const cacheTtlMs = 1000;

/** Time limit of a check of the store, in milliseconds: below the default timeout of Kubernetes probes. */
const storeTimeoutMs = 800;

/** Why a process takes no new work. */
export type Unready = 'stopping' | 'store';

/** Readiness of this process for new work. Checks the store at most once a second, for any number of probes, and never waits for a hanging one. */
export class Readiness {
  readonly #state: Pick<StateStore, 'isShared'>;
  readonly #store: OptionalState;
  readonly #closing: AbortSignal;
  #isLeaving = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #reached: Promise<boolean> = Promise.resolve(true);

  /** `closing`: aborts when the server takes no new work. */
  constructor(state: StateStore, logger: Logger, closing: AbortSignal) {
    this.#state = state;
    this.#store = new OptionalState(state, logger, '/ready answers 503', { timeoutMs: storeTimeoutMs, backoffMs: cacheTtlMs });
    this.#closing = closing;
  }

  /** Marks the process as not ready. It still handles requests until it is closed. */
  leave(): void {
    this.#isLeaving = true;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get isStopping(): boolean {
    return this.#isLeaving || this.#closing.aborted;
  }

  /** Returns why the process is not ready; undefined when it is ready. */
  async unreadyReason(): Promise<Unready | undefined> {
    if (this.isStopping) return 'stopping';
    if (await this.#isStoreReached()) return undefined;
    return this.isStopping ? 'stopping' : 'store';
  }

  /** Checks the store. A store of this process alone is always reachable. */
  #isStoreReached(): Promise<boolean> {
    if (!this.#state.isShared) return Promise.resolve(true);
    const now = performance.now();
    if (now - this.#checkedAt < cacheTtlMs) return this.#reached;
    this.#checkedAt = now;
    this.#reached = this.#store.ask(async (state) => ({ value: await state.get('ready') })).then((answer) => answer !== undefined);
    return this.#reached;
  }
}
