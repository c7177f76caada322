import { FairCache } from '../shared/fairness/fair-cache.ts';
import type { Paged } from './pages.ts';

/** A long output, with secrets masked, in the form in which it is read on. */
export interface KeptOutput extends Paged {
  /** The caller who may read it. */
  readonly caller: string;
  readonly tool: string;
  /** The whole output as JSON. Absent where the tool gave a text, which is the first section then. */
  readonly json?: string;
}

/** Returns the whole output as text: JSON where the tool gave a value. */
export function wholeText({ json, sections }: KeptOutput): string {
  return json ?? sections[0]?.text ?? '';
}

/** Outputs by the id of their call, for a time; when they are too large together, those of the tenant who has most give way. */
export class KeptOutputs {
  readonly #outputs: FairCache<KeptOutput>;
  readonly #ttlMs: number;

  constructor({ maxBytes, retentionMs }: { readonly maxBytes: number; readonly retentionMs: number }) {
    this.#outputs = new FairCache({ maxSize: maxBytes });
    this.#ttlMs = retentionMs;
  }

  /** False when the output is too large to be kept. */
  keep(tenant: string, callId: string, kept: KeptOutput, ttlMs = this.#ttlMs): boolean {
    this.#outputs.purge();
    const characters = kept.sections.reduce((sum, { text }) => sum + text.length, kept.json?.length ?? 0);
    // A text may take two bytes for each of its characters.
    return this.#outputs.set(tenant, callId, kept, { size: characters * 2, ttlMs });
  }

  /** Undefined for what is unknown, over its time, or somebody else's. */
  get(callId: string, caller: string): KeptOutput | undefined {
    const kept = this.#outputs.get(callId);
    return kept?.caller === caller ? kept : undefined;
  }

  clear(): void {
    this.#outputs.clear();
  }
}
