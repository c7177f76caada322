import { type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { keys } from './call-keys.ts';

/** So long a count holds, in milliseconds: what other processes have added meanwhile is not in it. */
const countedMs = 1000;
const pageSize = 1000;

/** Counts the calls of each caller that have not ended. */
export class OpenCalls {
  readonly #state: StateStore;
  readonly #most: number;
  readonly #ttlMs: number;
  readonly #counts = new Map<string, { readonly counting: Promise<{ count: number }>; readonly at: number }>();

  /** `ttlMs`: a call that has not ended after so long counts no more. */
  constructor(state: StateStore, most: number, ttlMs: number) {
    this.#state = state;
    this.#most = most;
    this.#ttlMs = ttlMs;
  }

  /** Resolves to how many there were before. Throws RATE_LIMITED where the caller has as many as one may have. */
  async add(caller: string, place: string): Promise<number> {
    let counted = await this.#counted(caller);
    if (counted.count >= this.#most) {
      this.#counts.delete(caller);
      counted = await this.#counted(caller);
    }
    if (counted.count >= this.#most)
      throw new ToolkitError(
        'RATE_LIMITED',
        `The caller "${caller}" has ${counted.count} durable calls that have not ended, and may have ${this.#most} (maxCalls of the engine). Wait until some have, or cancel some.`,
      );
    const ahead = counted.count++;
    await this.#state.set(keys.open(caller, place), '', { ttlMs: this.#ttlMs });
    return ahead;
  }

  #counted(caller: string): Promise<{ count: number }> {
    const known = this.#counts.get(caller);
    if (known !== undefined && performance.now() - known.at <= countedMs) return known.counting;
    const counting = this.#count(caller).then((count) => ({ count }));
    this.#counts.set(caller, { counting, at: performance.now() });
    counting.catch(() => this.#counts.delete(caller));
    return counting;
  }

  async #count(caller: string): Promise<number> {
    // What nobody has asked of late is counted anew anyway.
    if (this.#counts.size > pageSize) this.#counts.clear();
    let count = 0;
    for (let after: string | undefined; ; ) {
      const page = await this.#state.list(keys.open(caller), { limit: pageSize, ...(after === undefined ? {} : { after }) });
      count += page.length;
      after = page.at(-1)?.key;
      if (page.length < pageSize || count >= this.#most) return count;
    }
  }
}
