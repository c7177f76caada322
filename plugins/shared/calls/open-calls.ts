import { type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { pagesOf } from '../state/pages-of.ts';
import { keys } from './call-keys.ts';

/** Lifetime of a cached count, in milliseconds. Calls that other processes add meanwhile are not in it. */
const countTtlMs = 1000;
const pageSize = 1000;

/** Counts the unfinished calls of each caller. */
export class OpenCalls {
  readonly #state: StateStore;
  readonly #maxCalls: number;
  readonly #counts = new Map<string, { readonly counting: Promise<{ count: number }>; readonly at: number }>();

  constructor(state: StateStore, maxCalls: number) {
    this.#state = state;
    this.#maxCalls = maxCalls;
  }

  /** Counts one more call of the caller. Resolves to the number before it. Throws RATE_LIMITED at the maximum. */
  async admit(caller: string): Promise<number> {
    let counted = await this.#counted(caller);
    if (counted.count >= this.#maxCalls) {
      this.#counts.delete(caller);
      counted = await this.#counted(caller);
    }
    if (counted.count >= this.#maxCalls)
      throw new ToolkitError(
        'RATE_LIMITED',
        `The caller "${caller}" has ${counted.count} durable calls that have not ended, and may have ${this.#maxCalls} (maxCalls of the engine). Wait until some have, or cancel some.`,
      );
    return counted.count++;
  }

  #counted(caller: string): Promise<{ count: number }> {
    const known = this.#counts.get(caller);
    if (known !== undefined && performance.now() - known.at <= countTtlMs) return known.counting;
    const counting = this.#count(caller).then((count) => ({ count }));
    this.#counts.set(caller, { counting, at: performance.now() });
    counting.catch(() => this.#counts.delete(caller));
    return counting;
  }

  async #count(caller: string): Promise<number> {
    // Cheaper than tracking age: a caller that was not counted lately is counted anew anyway.
    if (this.#counts.size > pageSize) this.#counts.clear();
    let count = 0;
    for await (const page of pagesOf(this.#state, keys.open(caller), pageSize)) {
      count += page.length;
      if (count >= this.#maxCalls) break;
    }
    return count;
  }
}
