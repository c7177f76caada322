import type { StateStore } from '../../../kernel/index.ts';
import { fencedValue } from './slot-holder.ts';

/** Interval at which slots are given back that the store has not taken, in milliseconds. */
const retryDelayMs = 500;

/** Number of answers after which a slot counts as never taken. A statement that got no answer may still run for some seconds. */
const answersUntilAbsent = 20;

interface Return {
  readonly key: string;
  /** Number of times that the store must say that the slot is not there. */
  answers: number;
}

export interface SlotReturnsOptions {
  readonly state: StateStore;
  /** Called when the store has the slot back. `isFree`: it was this call's until now. */
  readonly onReturned: (value: string, key: string, isFree: boolean) => void;
  /** Called after further attempts: the store was away, and may not report the changes. */
  readonly onRetried: () => void;
}

/** Gives slots back, and tries again until the store has answered: a slot of a living process does not expire. */
export class SlotReturns {
  readonly #options: SlotReturnsOptions;
  readonly #open = new Map<string, Return>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SlotReturnsOptions) {
    this.#options = options;
  }

  /** Returns true while the slot with this value is given back. */
  has(value: string): boolean {
    return this.#open.has(value);
  }

  /** Gives the slot of an ended call back. Resolves after the first attempt; does not reject. */
  async giveBack(key: string, value: string): Promise<void> {
    this.#open.set(value, { key, answers: 1 });
    await this.#try(value);
  }

  /** Gives a slot back that this process may have taken: the store has not answered. */
  withdraw(key: string, value: string): void {
    this.#open.set(value, { key, answers: answersUntilAbsent });
    this.#schedule();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#open.clear();
  }

  async #try(value: string): Promise<void> {
    const open = this.#open.get(value);
    if (open === undefined) return;
    const { state, onReturned } = this.#options;
    try {
      const isFree =
        (await state.compareAndSet(open.key, value, undefined)) || (await state.compareAndSet(open.key, fencedValue(value), undefined));
      open.answers = isFree ? 0 : open.answers - 1;
      if (open.answers === 0 && this.#open.delete(value)) onReturned(value, open.key, isFree);
    } catch {
      // The store is away.
    }
    if (open.answers > 0) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(async () => {
      await Promise.all([...this.#open.keys()].map((value) => this.#try(value)));
      this.#timer = undefined;
      this.#options.onRetried();
      if (this.#open.size > 0) this.#schedule();
    }, retryDelayMs).unref();
  }
}
