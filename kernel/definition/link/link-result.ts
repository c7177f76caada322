import type { Problem } from '../schema/problem.ts';
import type { CachedDerivation, ToolBody, ToolHead } from './linked-tool.ts';

/** The result of checking and linking a definition without errors, as JSON. */
export interface LinkResult {
  /** A small part that every start reads. */
  readonly head: unknown;
  /** Reads the rest, on the first use of the tool. */
  body(): unknown;
  /** Reads the derived values by key, separately from the body. Small ones are in the head as `derived`. */
  derived?(): unknown;
}

export interface ToolLinkResult extends LinkResult {
  readonly head: ToolHead & { readonly warnings?: readonly Problem[]; readonly derived?: readonly string[] };
  body(): ToolBody;
  derived?(): CachedDerivation;
}
