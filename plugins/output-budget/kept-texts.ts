import type { LRUCache } from 'lru-cache';
import type { Paged } from './pages.ts';

export interface KeptText extends Paged {
  /** Who may read it. */
  readonly caller: string;
  readonly tool: string;
}

/** Texts by the id of their call, for a time; when they are too large together, those that were not read for longest give way. */
export class KeptTexts {
  readonly #texts: LRUCache<string, KeptText>;

  constructor(Cache: typeof LRUCache, { maxBytes, keepMs }: { readonly maxBytes: number; readonly keepMs: number }) {
    this.#texts = new Cache({
      maxSize: maxBytes,
      // A text may take two bytes for each of its characters.
      sizeCalculation: ({ text }) => text.length * 2,
      ttl: keepMs,
      ttlResolution: 0,
      perf: Date,
    });
  }

  /** False when the text is too large to be kept. */
  keep(callId: string, kept: KeptText): boolean {
    this.#texts.purgeStale();
    this.#texts.set(callId, kept);
    return this.#texts.has(callId);
  }

  /** Undefined for what is unknown, over its time, or somebody else's. */
  get(callId: string, caller: string): KeptText | undefined {
    const kept = this.#texts.get(callId);
    return kept?.caller === caller ? kept : undefined;
  }

  clear(): void {
    this.#texts.clear();
  }
}
