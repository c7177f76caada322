import type { ServerResponse } from 'node:http';
import type { JsonObject, Logger, StateStore } from '../../../../kernel/index.ts';
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
  /** True once the process is to leave. It still handles requests until it is closed. */
  isLeaving = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #reached: Promise<boolean> = Promise.resolve(true);

  /** `closing`: aborts when the server takes no new work. */
  constructor(state: StateStore, logger: Logger, closing: AbortSignal) {
    this.#state = state;
    this.#store = new OptionalState(state, logger, '/ready answers 503', { timeoutMs: storeTimeoutMs, backoffMs: cacheTtlMs });
    this.#closing = closing;
  }

  get isStopping(): boolean {
    return this.isLeaving || this.#closing.aborted;
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

/** Answers `/live` or `/ready`. The response holds public facts only. */
export async function answerProbe(response: ServerResponse, path: '/live' | '/ready', readiness: Readiness): Promise<void> {
  const reason = path === '/live' ? undefined : await readiness.unreadyReason();
  sendStatus(response, { status: reason ?? 'ok' }, reason !== undefined);
}

/** Answers `/health`. `state`: facts for operators only. */
export function answerHealth(response: ServerResponse, { isStopping }: Readiness, tools: number, state: JsonObject | undefined): void {
  sendStatus(response, { status: isStopping ? 'stopping' : 'ok', tools, ...(state === undefined ? {} : { state }) }, isStopping);
}

function sendStatus(response: ServerResponse, body: object, isUnavailable: boolean): void {
  response
    .writeHead(isUnavailable ? 503 : 200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
