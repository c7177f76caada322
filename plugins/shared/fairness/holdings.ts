export interface LargestOptions<Holder> {
  /** Wins a tie, so that a newcomer takes from itself before it takes from others with as much. @default the first of the equals */
  readonly newcomer?: Holder;
  /** Filter of the holders that may give way. @default all */
  readonly among?: (holder: Holder) => boolean;
}

/**
 * Amounts of a shared room, such as bytes or sessions, by holder, such as a tenant. When there is too little room, the holder with most
 * gives way: no holder can then take room from one that has less.
 */
export class Holdings<Holder> {
  /** No entry where the amount is 0. */
  readonly #amounts = new Map<Holder, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(holder: Holder): number {
    return this.#amounts.get(holder) ?? 0;
  }

  /** Adds to the amount of a holder. A negative amount gives room back. */
  add(holder: Holder, amount: number): void {
    const held = this.of(holder) + amount;
    this.#total += amount;
    if (held === 0) this.#amounts.delete(holder);
    else this.#amounts.set(holder, held);
  }

  /** Returns the holder with most; undefined when no holder may give way. Takes linear time in the number of holders. */
  largest({ newcomer, among = () => true }: LargestOptions<Holder> = {}): Holder | undefined {
    let largest: Holder | undefined;
    let most = 0;
    for (const [holder, amount] of this.#amounts) {
      if (amount < most || (amount === most && holder !== newcomer) || !among(holder)) continue;
      largest = holder;
      most = amount;
    }
    return largest;
  }

  clear(): void {
    this.#amounts.clear();
    this.#total = 0;
  }

  /** Iterates over the amounts above 0, in the order in which the holders came. */
  [Symbol.iterator](): IterableIterator<[Holder, number]> {
    return this.#amounts.entries();
  }
}
