import type { Logger, StateStore } from '../../../../kernel/index.ts';
import { OptionalState } from '../../../shared/state/optional-state.ts';

/** How long what the store said counts, and how long it is left alone after it did not answer, in milliseconds. */
const freshMs = 1000;

/** How long the store may take, in milliseconds: less than what the probes of Kubernetes wait unless they are told otherwise. */
const patienceMs = 800;

/** Why a process takes no new work. */
export type Unready = 'stopping' | 'store';

/** Whether this process is to get new work. However many ask, the store is asked once a second at most, and one that hangs holds nobody up. */
export class Readiness {
  readonly #state: Pick<StateStore, 'isShared'>;
  readonly #store: OptionalState;
  readonly #closing: AbortSignal;
  #isLeaving = false;
  #askedAt = Number.NEGATIVE_INFINITY;
  #reached: Promise<boolean> = Promise.resolve(true);

  /** `closing` aborts when no new work is taken any more. */
  constructor(state: StateStore, logger: Logger, closing: AbortSignal) {
    this.#state = state;
    this.#store = new OptionalState(state, logger, '/ready answers 503', { patienceMs, restMs: freshMs });
    this.#closing = closing;
  }

  /** From now on it is not: it goes on with what comes all the same, until it is closed. */
  leave(): void {
    this.#isLeaving = true;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  get isStopping(): boolean {
    return this.#isLeaving || this.#closing.aborted;
  }

  /** Undefined: it is. */
  async lack(): Promise<Unready | undefined> {
    if (this.isStopping) return 'stopping';
    if (await this.#isStoreReached()) return undefined;
    return this.isStopping ? 'stopping' : 'store';
  }

  /** A store of this process alone is there as long as the process is. */
  #isStoreReached(): Promise<boolean> {
    if (!this.#state.isShared) return Promise.resolve(true);
    const now = performance.now();
    if (now - this.#askedAt < freshMs) return this.#reached;
    this.#askedAt = now;
    this.#reached = this.#store.ask(async (state) => ({ value: await state.get('ready') })).then((answer) => answer !== undefined);
    return this.#reached;
  }
}
