import type { Kernel } from '../../../kernel/index.ts';

export interface OutboxOptions<T> {
  readonly kernel: Pick<Kernel, 'beforeAnswers'>;
  /** Calls this when what comes together has come. */
  readonly atEndOfTurn: (send: () => void) => void;
  readonly send: (items: readonly T[]) => void;
}

/** What leaves together at the end of a turn of the event loop, in order, once everything is done that must be before answers leave. */
export class Outbox<T> {
  readonly #options: OutboxOptions<T>;
  #items: T[] = [];
  /** When those of turns before have left, where they had to wait. */
  #leaving: Promise<void> | undefined;

  constructor(options: OutboxOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    if (this.#items.length === 0) this.#options.atEndOfTurn(() => void this.empty());
    this.#items.push(item);
  }

  /** Sends what is there. A promise where it may not leave yet. */
  empty(): Promise<void> | undefined {
    const items = this.#items;
    if (items.length === 0) return this.#leaving;
    const { kernel, send } = this.#options;
    this.#items = [];
    const done = kernel.beforeAnswers();
    if (this.#leaving === undefined && done === undefined) {
      send(items);
      return undefined;
    }
    const left = Promise.all([this.#leaving, done]).then(() => {
      if (this.#leaving === left) this.#leaving = undefined;
      send(items);
    });
    this.#leaving = left;
    return left;
  }
}
