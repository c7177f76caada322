import { FairCache } from '../shared/fairness/fair-cache.ts';
import type { Paged } from './pages.ts';

export interface KeptText extends Paged {
  /** Who may read it. */
  readonly caller: string;
  readonly tool: string;
}

/** Texts by the id of their call, for a time; when they are too large together, those of the tenant who has most give way. */
export class KeptTexts {
  readonly #texts: FairCache<KeptText>;
  readonly #keepMs: number;

  constructor({ maxBytes, keepMs }: { readonly maxBytes: number; readonly keepMs: number }) {
    this.#texts = new FairCache({ maxSize: maxBytes });
    this.#keepMs = keepMs;
  }

  /** False when the text is too large to be kept. */
  keep(tenant: string, callId: string, kept: KeptText, ttlMs = this.#keepMs): boolean {
    this.#texts.purge();
    // A text may take two bytes for each of its characters.
    return this.#texts.set(tenant, callId, kept, { size: kept.text.length * 2, ttlMs });
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
