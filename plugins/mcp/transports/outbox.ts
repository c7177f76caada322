import type { Kernel } from '../../../kernel/index.ts';

export interface OutboxOptions<T> {
  readonly kernel: Pick<Kernel, 'beforeAnswers'>;
  /** Calls `send` at the end of the current iteration of the event loop. */
  readonly scheduleFlush: (send: () => void) => void;
  readonly send: (items: readonly T[]) => void;
}

/** Messages that are sent together at the end of an event-loop iteration, in order, after the work that must precede responses. */
export class Outbox<T> {
  readonly #options: OutboxOptions<T>;
  #items: T[] = [];
  /** Resolves when earlier messages that had to wait are sent. */
  #leaving: Promise<void> | undefined;

  constructor(options: OutboxOptions<T>) {
    this.#options = options;
  }

  add(item: T): void {
    if (this.#items.length === 0) this.#options.scheduleFlush(() => void this.empty());
    this.#items.push(item);
  }

  /** Sends the waiting messages. Returns a promise when they must wait. */
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
