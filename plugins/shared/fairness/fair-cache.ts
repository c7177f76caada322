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

/** Entries of one tenant. */
class TenantEntries<Value> {
  /** Entries, least recently used first. */
  readonly entries = new Map<string, Entry<Value>>();
  size = 0;
}

/**
 * A cache shared by tenants. When it is full, the tenant with most loses its least recently used entry. A tenant can therefore not evict
 * the entries of a tenant with less.
 */
export class FairCache<Value> {
  readonly #maxEntries: number;
  readonly #maxSize: number;
  readonly #shelves = new Map<string, TenantEntries<Value>>();
  /** Tenant of each key. */
  readonly #owners = new Map<string, string>();
  #size = 0;

  constructor({ maxEntries = Number.POSITIVE_INFINITY, maxSize = Number.POSITIVE_INFINITY }: FairCacheLimits) {
    this.#maxEntries = maxEntries;
    this.#maxSize = maxSize;
  }

  /** Returns a value and marks it as used. Undefined when it is unknown or expired. */
  get(key: string): Value | undefined {
    const entriesOfTenant = this.#shelves.get(this.#owners.get(key) ?? '');
    const entry = entriesOfTenant?.entries.get(key);
    if (entriesOfTenant === undefined || entry === undefined) return undefined;
    if (entry.validUntil < Date.now()) {
      this.delete(key);
      return undefined;
    }
    entriesOfTenant.entries.delete(key);
    entriesOfTenant.entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value. Returns false when the value alone exceeds the maximum size. `ttlMs`: time to live. */
  set(tenant: string, key: string, value: Value, { size = 1, ttlMs = Number.POSITIVE_INFINITY } = {}): boolean {
    this.delete(key);
    if (size > this.#maxSize) return false;
    const entriesOfTenant = this.#shelves.get(tenant) ?? new TenantEntries<Value>();
    this.#shelves.set(tenant, entriesOfTenant);
    this.#owners.set(key, tenant);
    entriesOfTenant.entries.set(key, { value, size, validUntil: Date.now() + ttlMs });
    entriesOfTenant.size += size;
    this.#size += size;
    while (this.#owners.size > this.#maxEntries) this.#evict(({ entries }) => entries.size, entriesOfTenant);
    while (this.#size > this.#maxSize) this.#evict((one) => one.size, entriesOfTenant);
    return true;
  }

  delete(key: string): void {
    const tenant = this.#owners.get(key);
    const entriesOfTenant = tenant === undefined ? undefined : this.#shelves.get(tenant);
    const entry = entriesOfTenant?.entries.get(key);
    if (tenant === undefined || entriesOfTenant === undefined || entry === undefined) return;
    entriesOfTenant.entries.delete(key);
    entriesOfTenant.size -= entry.size;
    this.#size -= entry.size;
    this.#owners.delete(key);
    if (entriesOfTenant.entries.size === 0) this.#shelves.delete(tenant);
  }

  /** Removes expired entries. */
  purge(): void {
    const now = Date.now();
    for (const { entries } of this.#shelves.values()) for (const [key, { validUntil: until }] of entries) if (until < now) this.delete(key);
  }

  /** Iterates over all values without marking them as used. */
  *values(): IterableIterator<Value> {
    for (const { entries } of this.#shelves.values()) for (const { value } of entries.values()) yield value;
  }

  clear(): void {
    this.#shelves.clear();
    this.#owners.clear();
    this.#size = 0;
  }

  /** Evicts an entry of the tenant with most. Among equals, `newcomer` loses: its new entry evicts no other tenant's. */
  #evict(sizeOf: (shelf: TenantEntries<Value>) => number, newcomer: TenantEntries<Value>): void {
    const largest = [...this.#shelves.values()].reduce((most, shelf) => (sizeOf(shelf) > sizeOf(most) ? shelf : most), newcomer);
    const [oldest] = largest.entries.keys();
    if (oldest !== undefined) this.delete(oldest);
  }
}
