import type { LRUCache } from 'lru-cache';

interface Entry {
  readonly result: Buffer;
  /** Epoch ms. */
  readonly storedAt: number;
}

/** Results for a time; when they are too many or too large together, those that were not used for longest give way. */
export class ResultStore {
  readonly #entries: LRUCache<string, Entry>;

  constructor(Cache: typeof LRUCache, { maxEntries, maxBytes }: { readonly maxEntries: number; readonly maxBytes: number }) {
    this.#entries = new Cache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ result }) => result.byteLength,
      ttlResolution: 0,
      perf: Date,
    });
  }

  get(key: string): { readonly result: Buffer; readonly ageMs: number } | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : { result: entry.result, ageMs: Math.max(0, Date.now() - entry.storedAt) };
  }

  set(key: string, result: Buffer, ttlMs: number): void {
    this.#entries.set(key, { result, storedAt: Date.now() }, { ttl: ttlMs });
  }

  clear(): void {
    this.#entries.clear();
  }
}
