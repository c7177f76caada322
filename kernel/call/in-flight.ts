/** So many entries are taken out before the others are copied. */
const maxDeletions = 512;

/**
 * A Map for what comes and goes with each call. A Map that lives long gets a new table every few changes, and each table leads to the next one: a
 * dead one that was moved to the old memory keeps all later ones, and the calls in them, from being collected with the young. This one begins
 * anew before that.
 */
export class InFlight<Key, Value> {
  #entries = new Map<Key, Value>();
  #deletions = 0;
  #whenEmpty: (() => void)[] = [];

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  /** Whether it was there. */
  delete(key: Key): boolean {
    const wasThere = this.#entries.delete(key);
    if (wasThere && ++this.#deletions >= Math.max(maxDeletions, this.#entries.size)) {
      this.#deletions = 0;
      this.#entries = new Map(this.#entries);
    }
    if (this.#entries.size === 0 && this.#whenEmpty.length > 0) this.#notifyEmpty();
    return wasThere;
  }

  /** Resolves when nothing is in it. */
  async empty(): Promise<void> {
    if (this.#entries.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Those of this moment. */
  values(): readonly Value[] {
    return [...this.#entries.values()];
  }

  entries(): readonly (readonly [Key, Value])[] {
    return [...this.#entries];
  }

  clear(): void {
    this.#entries.clear();
    this.#notifyEmpty();
  }

  #notifyEmpty(): void {
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
  }
}
