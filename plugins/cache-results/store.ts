import { FairCache } from '../shared/fairness/fair-cache.ts';

interface Entry {
  readonly result: Buffer;
  /** Epoch ms. */
  readonly storedAt: number;
}

/** Cached results with a lifetime. When there are too many or they are too large, those of the tenant with most are evicted first. */
export class ResultStore {
  readonly #entries: FairCache<Entry>;

  constructor({ maxEntries, maxBytes }: { readonly maxEntries: number; readonly maxBytes: number }) {
    this.#entries = new FairCache({ maxEntries, maxSize: maxBytes });
  }

  get(key: string): { readonly result: Buffer; readonly ageMs: number } | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined ? undefined : { result: entry.result, ageMs: Math.max(0, Date.now() - entry.storedAt) };
  }

  /** Stores a result for `ttlMs` from `storedAt` (epoch ms) on. */
  set(tenant: string, key: string, result: Buffer, ttlMs: number, storedAt = Date.now()): void {
    this.#entries.set(tenant, key, { result, storedAt }, { size: result.byteLength, ttlMs: ttlMs - (Date.now() - storedAt) });
  }

  clear(): void {
    this.#entries.clear();
  }
}
