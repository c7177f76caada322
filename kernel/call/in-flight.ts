/** Maximum number of deletions before the entries are copied to a new Map. */
const maxDeletions = 512;

/**
 * A Map for entries that come and go with each call. A long-lived Map gets a new table every few changes, and each table references the next: a
 * dead table in the old generation keeps all later ones, and their calls, from young collections. This one starts a new Map
 * before that.
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

  /** Returns true if the entry existed. */
  delete(key: Key): boolean {
    const wasThere = this.#entries.delete(key);
    if (wasThere && ++this.#deletions >= Math.max(maxDeletions, this.#entries.size)) {
      this.#deletions = 0;
      this.#entries = new Map(this.#entries);
    }
    if (this.#entries.size === 0 && this.#whenEmpty.length > 0) this.#notifyEmpty();
    return wasThere;
  }

  /** Resolves when there are no entries. */
  async empty(): Promise<void> {
    if (this.#entries.size > 0) await new Promise<void>((resolve) => this.#whenEmpty.push(resolve));
  }

  /** Returns the current values. */
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
