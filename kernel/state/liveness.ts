/** One member of the processes that share a store: says that this process lives, and finds out whether another one does. */
export interface Liveness {
  /** Id of this member, never reused. */
  readonly id: string;
  /** Resolves when others see that this member lives. Each call needs a `leave`. Rejects with STATE_UNAVAILABLE when they cannot. */
  enter(): Promise<void>;
  leave(): void;
  /**
   * Resolves to true when the member has ended or died. False in doubt: a process that stands still, or that lost the store a moment ago, is
   * alive. Rejects with STATE_UNAVAILABLE when the store cannot be asked.
   */
  isDead(id: string): Promise<boolean>;
  /**
   * Resolves to true when the member lives and has not answered for seconds: it stands still, or is cut off, and keeps its work. False where
   * that is not known. Rejects as `isDead` does.
   */
  isStalled?(id: string): Promise<boolean>;
}

/** Members of one process. Each has an id of its own, so that two of them do not take each other's work for their own. */
export class Members {
  #count = 0;
  /** Number of `enter` without `leave`, by id. */
  readonly #entered = new Map<string, number>();
  readonly #prefix: string;

  /** `prefix`: beginning of the ids. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Returns a new member. `announce` makes the process known to others; `isDead` and `isStalled` judge ids that are not of this process. */
  join(
    announce: () => Promise<void>,
    isDead: (id: string) => Promise<boolean>,
    isStalled: (id: string) => Promise<boolean> = async () => false,
  ): Liveness {
    const id = `${this.#prefix}${++this.#count}`;
    const leave = (): void => {
      const entered = (this.#entered.get(id) ?? 0) - 1;
      if (entered > 0) this.#entered.set(id, entered);
      else this.#entered.delete(id);
    };
    return {
      id,
      enter: async () => {
        this.#entered.set(id, (this.#entered.get(id) ?? 0) + 1);
        await announce().catch((error: unknown) => {
          leave();
          throw error;
        });
      },
      leave,
      isDead: async (other) => (other.startsWith(this.#prefix) ? !this.#entered.has(other) : isDead(other)),
      isStalled: async (other) => !other.startsWith(this.#prefix) && isStalled(other),
    };
  }
}
