import type { Origin } from './check-definition.ts';
import { digest } from './digest.ts';
import type { CachedDerivation, ToolBody, ToolHead } from './linked-tool.ts';
import type { Problem } from './problem.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Provider } from './tool.ts';

/** What checking and linking a definition without an error gave, as JSON. */
export interface LinkResult {
  /** Small: what every start looks at. */
  readonly head: unknown;
  /** Asked for when somebody looks into the tool. */
  body(): unknown;
  /** What derivations made of the tool, by their keys, which are in the head as `derived`; asked for apart from the body. Small ones are in the head. */
  derived?(): unknown;
}

/**
 * A definition whose form may have been kept by whoever read it, before or in another process. A form holds for the text of the definition, for the
 * `key`, for the `language` of the sink and for the version of the kernel; whoever keeps it gives it for these alone.
 */
export interface CachedDefinition {
  readonly kind: 'tool' | 'provider';
  /** The definition as it was written, when there is no form of it. */
  definition(): unknown;
  read(key: string): LinkResult | undefined;
  /** Not called for a definition with errors, nor where the code of a plugin that does not say its `fingerprint` had a say. */
  store(key: string, form: LinkResult): void;
}

export interface ToolLinkResult extends LinkResult {
  readonly head: ToolHead & { readonly warnings?: readonly Problem[]; readonly derived?: readonly string[] };
  body(): ToolBody;
  derived?(): CachedDerivation;
}

export interface ProviderLinkResult extends LinkResult {
  readonly head: { readonly name: string; readonly warnings?: readonly Problem[] };
  body(): ProviderDefinition;
}

/** Everything but the text and the language that the form of a tool follows from. */
export class LinkCacheKeys {
  readonly #keysOfProviders = new Map<Provider | undefined, string>();

  keyOf({ trust, package: owner }: Origin, provider: Provider | undefined): string {
    let known = this.#keysOfProviders.get(provider);
    if (known === undefined) {
      known = provider === undefined ? '' : digest([provider.definition, provider.origin.trust]);
      this.#keysOfProviders.set(provider, known);
    }
    return `${trust} ${owner === undefined ? 'own' : 'package'} ${known}`;
  }
}

/** Warnings as they are told of the file that the form is used for. */
export function warningsOf({ head: { warnings = [] } }: ToolLinkResult | ProviderLinkResult, { plugin, file }: Origin): readonly Problem[] {
  return warnings.map((warning) => ({ ...warning, plugin, ...(file === undefined ? {} : { file }) }));
}

/** What was told of a definition is told again wherever its form is used. */
export function withWarnings<F extends ToolLinkResult | ProviderLinkResult>(form: F, warnings: readonly Problem[]): F {
  return warnings.length === 0 ? form : { ...form, head: { ...form.head, warnings } };
}
