import type { LinkResult, ToolLinkResult } from '../link/link-result.ts';
import { digest } from '../schema/digest.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import type { Provider } from '../schema/tool.ts';

/**
 * A definition whose link result may be cached, also by another process. A cache entry is valid for one definition text, one `key`,
 * one schema version and one kernel version. The cache must check all of them.
 */
export interface CachedDefinition {
  readonly kind: 'tool' | 'provider';
  /** Returns the definition itself, when there is no cached result. */
  definition(): unknown;
  read(key: string): LinkResult | undefined;
  /** Stores a link result. Not called for a definition with errors, or when a plugin without a `fingerprint` affected it. */
  store(key: string, form: LinkResult): void;
}

export interface ProviderLinkResult extends LinkResult {
  readonly head: { readonly name: string; readonly warnings?: readonly Problem[] };
  body(): ProviderDefinition;
}

/** Computes cache keys from everything that affects a link result, except the text and the schema version. */
export class LinkCacheKeys {
  readonly #keysOfProviders = new Map<Provider | undefined, string>();

  keyOf({ trust, package: owner, source }: Origin, provider: Provider | undefined): string {
    let known = this.#keysOfProviders.get(provider);
    if (known === undefined) {
      known = provider === undefined ? '' : digest([provider.definition, provider.origin.trust]);
      this.#keysOfProviders.set(provider, known);
    }
    const from = source === undefined ? (owner === undefined ? 'own' : 'package') : 'source';
    return `${trust} ${from} ${known}`;
  }
}

/** Returns the cached warnings, for the current file. */
export function warningsOf({ head: { warnings = [] } }: ToolLinkResult | ProviderLinkResult, { plugin, file }: Origin): readonly Problem[] {
  return warnings.map((warning) => ({ ...warning, plugin, ...(file === undefined ? {} : { file }) }));
}

/** Adds the warnings to the cached result, so that each later use reports them again. */
export function withWarnings<F extends ToolLinkResult | ProviderLinkResult>(form: F, warnings: readonly Problem[]): F {
  return warnings.length === 0 ? form : { ...form, head: { ...form.head, warnings } };
}
