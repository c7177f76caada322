export interface FairCacheLimits {
  /** @default any number */
  readonly maxEntries?: number;
  /** Of all sizes together. @default any */
  readonly maxSize?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
  /** Epoch ms; it counts in that millisecond still. */
  readonly until: number;
}

/** What one tenant has. */
class Shelf<Value> {
  /** The one that was not used for longest comes first. */
  readonly entries = new Map<string, Entry<Value>>();
  size = 0;
}

/**
 * Values by key. When they are too many or too large together, the tenant who has most gives way, with what was not used for longest: so
 * nobody can push out what others have, unless they have more.
 */
export class FairCache<Value> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  readonly #shelves = new Map<string, Shelf<Value>>();
  /** The tenant that each key belongs to. */
  readonly #owners = new Map<string, string>();
  #size = 0;

  constructor({ maxEntries = Number.POSITIVE_INFINITY, maxSize = Number.POSITIVE_INFINITY }: FairCacheLimits) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** Using a value keeps it. Undefined for one that is unknown or over its time. */
  get(key: string): Value | undefined {
    const shelf = this.#shelves.get(this.#owners.get(key) ?? '');
    const entry = shelf?.entries.get(key);
    if (shelf === undefined || entry === undefined) return undefined;
    if (entry.until < Date.now()) {
      this.delete(key);
      return undefined;
    }
    shelf.entries.delete(key);
    shelf.entries.set(key, entry);
    return entry.value;
  }

  /** False when it was not kept, because it alone is too large. `ttlMs` is how long it counts, in milliseconds. */
  set(tenant: string, key: string, value: Value, { size = 1, ttlMs = Number.POSITIVE_INFINITY } = {}): boolean {
    this.delete(key);
    if (size > this.#maxSize) return false;
    const shelf = this.#shelves.get(tenant) ?? new Shelf<Value>();
    this.#shelves.set(tenant, shelf);
    this.#owners.set(key, tenant);
    shelf.entries.set(key, { value, size, until: Date.now() + ttlMs });
    shelf.size += size;
    this.#size += size;
    while (this.#owners.size > this.#maxEntries) this.#giveWay(({ entries }) => entries.size, shelf);
    while (this.#size > this.#maxSize) this.#giveWay((one) => one.size, shelf);
    return true;
  }

  delete(key: string): void {
    const tenant = this.#owners.get(key);
    const shelf = tenant === undefined ? undefined : this.#shelves.get(tenant);
    const entry = shelf?.entries.get(key);
    if (tenant === undefined || shelf === undefined || entry === undefined) return;
    shelf.entries.delete(key);
    shelf.size -= entry.size;
    this.#size -= entry.size;
    this.#owners.delete(key);
    if (shelf.entries.size === 0) this.#shelves.delete(tenant);
  }

  /** Forgets what is over its time. */
  purge(): void {
    const now = Date.now();
    for (const { entries } of this.#shelves.values()) for (const [key, { until }] of entries) if (until < now) this.delete(key);
  }

  /** All that is here, without using it. */
  *values(): IterableIterator<Value> {
    for (const { entries } of this.#shelves.values()) for (const { value } of entries.values()) yield value;
  }

  clear(): void {
    this.#shelves.clear();
    this.#owners.clear();
    this.#size = 0;
  }

  /** Of tenants who have as much, `coming` gives way: what it brings pushes out nobody else's. */
  #giveWay(sizeOf: (shelf: Shelf<Value>) => number, coming: Shelf<Value>): void {
    const largest = [...this.#shelves.values()].reduce((most, shelf) => (sizeOf(shelf) > sizeOf(most) ? shelf : most), coming);
    const [oldest] = largest.entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}
