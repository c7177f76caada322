import type { Asker } from './asker.ts';

/** Reasons why it is not certain whose call asks. */
export type Uncertain = 'idle' | 'several' | 'abandoned';

/**
 * The running requests of one connection. Servers of 2025 ask without naming the request for which they do, so that the asker is certain only when
 * it is the only one that it can be.
 */
export class RunningRequests {
  readonly #running = new Set<Asker>();
  /** Callers of requests that were given up: the server may still work on them, and ask. */
  readonly #abandoned = new Set<string>();
  readonly #isOfOneCaller: boolean;

  constructor(isOfOneCaller: boolean) {
    this.#isOfOneCaller = isOfOneCaller;
  }

  get size(): number {
    return this.#running.size;
  }

  /** True when a question may be one of a request that was given up. */
  get hasAbandoned(): boolean {
    return !this.#isOfOneCaller && this.#abandoned.size > 0;
  }

  begin(asker: Asker): void {
    this.#running.add(asker);
  }

  end(asker: Asker, isAnswered: boolean): void {
    this.#running.delete(asker);
    if (!isAnswered) this.#abandoned.add(asker.caller);
  }

  /** Returns the request for which the server asks, or the reason why that is not certain. */
  certain(): Asker | Uncertain {
    const asker = this.certainCaller();
    // Any request of the caller may answer, unless a question ends the one that asks.
    const isRepeated = [...this.#running].some(({ client }) => client.repeatsCall === true);
    return typeof asker === 'object' && isRepeated && this.#running.size > 1 ? 'several' : asker;
  }

  /** Returns a request of the caller for whom the server asks or logs, or the reason why that is not certain. */
  certainCaller(): Asker | Uncertain {
    const [first, ...others] = this.#running;
    if (first === undefined) return 'idle';
    if (this.#isOfOneCaller) return first;
    if (others.length > 0) return 'several';
    return [...this.#abandoned].some((caller) => caller !== first.caller) ? 'abandoned' : first;
  }
}
