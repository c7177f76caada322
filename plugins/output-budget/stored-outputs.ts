import { FairCache } from '../shared/fairness/fair-cache.ts';
import type { Paged } from './pages.ts';

/** A long output, with secrets masked, divided into pages. */
export interface StoredOutput extends Paged {
  /** The caller that may read it. */
  readonly caller: string;
  readonly tool: string;
  /** The whole output as JSON. Absent where the tool returned a text, which is then the first section. */
  readonly json?: string;
}

/** Returns the whole output as text: JSON where the tool returned a value. */
export function wholeText({ json, sections }: StoredOutput): string {
  return json ?? sections[0]?.text ?? '';
}

/** Stored outputs by call id, for a limited time. When they are too large together, outputs of the tenant with most are dropped. */
export class StoredOutputs {
  readonly #outputs: FairCache<StoredOutput>;
  readonly #ttlMs: number;

  constructor({ maxBytes, retentionMs }: { readonly maxBytes: number; readonly retentionMs: number }) {
    this.#outputs = new FairCache({ maxSize: maxBytes });
    this.#ttlMs = retentionMs;
  }

  /** Stores an output. Returns false when it is too large. */
  store(tenant: string, callId: string, output: StoredOutput, ttlMs = this.#ttlMs): boolean {
    this.#outputs.purge();
    const characters = output.sections.reduce((sum, { text }) => sum + text.length, output.json?.length ?? 0);
    // A text may take two bytes for each character.
    return this.#outputs.set(tenant, callId, output, { size: characters * 2, ttlMs });
  }

  /** Returns undefined for an output that is unknown, expired, or of another caller. */
  get(callId: string, caller: string): StoredOutput | undefined {
    const output = this.#outputs.get(callId);
    return output?.caller === caller ? output : undefined;
  }

  clear(): void {
    this.#outputs.clear();
  }
}
