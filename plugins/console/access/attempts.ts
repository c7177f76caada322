import type { StateStore } from '../../../kernel/index.ts';
import { sha256 } from './digest.ts';

const windowMs = 60_000;

/** Maximum number of attempts of a minute, of one address and over all. */
export interface AttemptLimits {
  readonly ofAddress: number;
  readonly overAll: number;
}

/** Limits the attempts to get in, over all processes of the store. They are counted before they are checked, so that many at once are too. */
export class Attempts {
  readonly #state: Pick<StateStore, 'increment' | 'delete'>;
  readonly #kind: string;
  readonly #limits: AttemptLimits;

  /** `kind`: attempts of each kind are counted apart. */
  constructor(state: Pick<StateStore, 'increment' | 'delete'>, kind: string, limits: AttemptLimits) {
    this.#state = state;
    this.#kind = kind;
    this.#limits = limits;
  }

  /** Counts an attempt. Resolves to the time until the next one in milliseconds when there were too many; undefined otherwise. */
  async count(address: string): Promise<number | undefined> {
    // First the address, so that one that is at its limit takes nothing from others.
    return (
      (await this.#add(this.#keyOf(address), this.#limits.ofAddress)) ?? (await this.#add(this.#keyOf(undefined), this.#limits.overAll))
    );
  }

  /** Forgets the attempts after a successful one. */
  async forget(address: string): Promise<void> {
    await Promise.all([this.#state.delete(this.#keyOf(address)), this.#state.delete(this.#keyOf(undefined))]);
  }

  async #add(key: string, limit: number): Promise<number | undefined> {
    const { isCounted, endsInMs } = await this.#state.increment(key, { windowMs, limit });
    return isCounted ? undefined : endsInMs;
  }

  #keyOf(address: string | undefined): string {
    return `attempts/${this.#kind}/${address === undefined ? 'all' : `of/${sha256(address)}`}`;
  }
}
