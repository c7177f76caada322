import { Holdings } from './holdings.ts';

export interface FairCacheLimits {
  /** Maximum number of entries. @default unlimited */
  readonly maxEntries?: number;
  /** Maximum sum of all sizes. @default unlimited */
  readonly maxSize?: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
  /** Last valid millisecond, epoch ms. */
  readonly validUntil: number;
}

/**
 * A cache shared by tenants. When it is full, the tenant with most loses its least recently used entry. A tenant can therefore not evict
 * the entries of a tenant with less.
 */
export class FairCache<Value> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  /** Entries of each tenant by key, least recently used first. */
  readonly #shelves = new Map<string, Map<string, Entry<Value>>>();
  /** Tenant of each key. */
  readonly #owners = new Map<string, string>();
  readonly #counts = new Holdings<string>();
  readonly #sizes = new Holdings<string>();

  constructor({ maxEntries = Number.POSITIVE_INFINITY, maxSize = Number.POSITIVE_INFINITY }: FairCacheLimits) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** Returns a value and marks it as used. Undefined when it is unknown or expired. */
  get(key: string): Value | undefined {
    const shelf = this.#shelfOf(key);
    const entry = shelf?.get(key);
    if (shelf === undefined || entry === undefined) return undefined;
    if (entry.validUntil < Date.now()) {
      this.delete(key);
      return undefined;
    }
    shelf.delete(key);
    shelf.set(key, entry);
    return entry.value;
  }

  /** Stores a value. Returns false when the value alone exceeds the maximum size. `ttlMs`: time to live. */
  set(tenant: string, key: string, value: Value, { size = 1, ttlMs = Number.POSITIVE_INFINITY } = {}): boolean {
    this.delete(key);
    if (size > this.#maxSize) return false;
    const shelf = this.#shelves.get(tenant) ?? new Map<string, Entry<Value>>();
    this.#shelves.set(tenant, shelf.set(key, { value, size, validUntil: Date.now() + ttlMs }));
    this.#owners.set(key, tenant);
    this.#resize(tenant, 1, size);
    while (this.#counts.total > this.#maxEntries) this.#evict(this.#counts, tenant);
    while (this.#sizes.total > this.#maxSize) this.#evict(this.#sizes, tenant);
    return true;
  }

  delete(key: string): void {
    const tenant = this.#owners.get(key);
    const shelf = this.#shelfOf(key);
    const entry = shelf?.get(key);
    if (tenant === undefined || shelf === undefined || entry === undefined) return;
    shelf.delete(key);
    this.#owners.delete(key);
    this.#resize(tenant, -1, -entry.size);
    if (shelf.size === 0) this.#shelves.delete(tenant);
  }

  /** Removes expired entries. */
  purge(): void {
    const now = Date.now();
    for (const shelf of this.#shelves.values()) for (const [key, { validUntil: until }] of shelf) if (until < now) this.delete(key);
  }

  /** Iterates over all values without marking them as used. */
  *values(): IterableIterator<Value> {
    for (const shelf of this.#shelves.values()) for (const { value } of shelf.values()) yield value;
  }

  clear(): void {
    this.#shelves.clear();
    this.#owners.clear();
    this.#counts.clear();
    this.#sizes.clear();
  }

  #shelfOf(key: string): Map<string, Entry<Value>> | undefined {
    return this.#shelves.get(this.#owners.get(key) ?? '');
  }

  #resize(tenant: string, count: number, size: number): void {
    this.#counts.add(tenant, count);
    this.#sizes.add(tenant, size);
  }

  /** Evicts the least recently used entry of the tenant with most. */
  #evict(held: Holdings<string>, newcomer: string): void {
    const [oldest] = this.#shelves.get(held.largest({ newcomer }) ?? newcomer)?.keys() ?? [];
    if (oldest !== undefined) this.delete(oldest);
  }
}
