import type { TObject } from 'typebox';
import { didYouMean } from '../../schema/nearest.ts';
import { checkDefinition } from '../check/check-definition.ts';
import { checkProvider } from '../check/check-provider.ts';
import type { OAuth2Definition } from '../schema/oauth2.ts';
import { type Problem, problemOf } from '../schema/problem.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import type { Overridden, Provider } from '../schema/tool.ts';

/** Keys of a provider, and members of its `oauth2`. */
export type PartialProvider = Partial<Omit<ProviderDefinition, 'provider' | 'oauth2'>> & { readonly oauth2?: Partial<OAuth2Definition> };

/** The operator's settings of a provider, in place of those of its definition. */
export interface ProviderOverride {
  readonly name: string;
  readonly definition: PartialProvider;
  readonly plugin: string;
}

/** Returns the provider with the operator's settings, or the problems of these. */
export function withOverride(
  { name, definition, plugin }: ProviderOverride,
  providers: ReadonlyMap<string, Provider>,
  schema: TObject,
): Provider | { readonly problems: readonly Problem[] } {
  const at = { severity: 'error', code: 'CONFIG_INVALID', plugin } as const;
  const provider = providers.get(name);
  if (provider === undefined)
    return { problems: [{ ...at, message: `there is no provider "${name}" to override.${didYouMean(name, providers.keys())}` }] };
  const { headers, oauth2, ...others } = definition;
  const merged: ProviderDefinition = {
    ...provider.definition,
    ...others,
    headers: mergeHeaders(provider.definition.headers ?? {}, headers ?? {}),
    ...(oauth2 === undefined ? {} : { oauth2: { ...provider.definition.oauth2, ...oauth2 } as OAuth2Definition }),
  };
  if (oauth2 !== undefined) {
    const problems = problemsOf(merged, plugin, schema).map((problem) => ({ ...problem, ...at, message: `${name}: ${problem.message}` }));
    if (problems.length > 0) return { problems };
  }
  // A base URL makes the whole provider the operator's: it decides where credentials of the tools go.
  const origin = others.base_url === undefined ? provider.origin : { ...provider.origin, trust: 'operator' as const };
  return { name, definition: merged, origin, overridden: overriddenOf(provider, definition) };
}

function problemsOf(merged: ProviderDefinition, plugin: string, schema: TObject): readonly Problem[] {
  const { value, problems } = checkDefinition<ProviderDefinition>(schema, merged, { plugin, trust: 'operator' });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (value === undefined) return errors;
  return checkProvider(value).map((issue) => problemOf(issue, { severity: 'error', code: 'CONFIG_INVALID', plugin }));
}

function overriddenOf({ origin, overridden }: Provider, { oauth2 = {}, ...others }: PartialProvider): Overridden {
  const members = [...Object.keys(others), ...Object.keys(oauth2).map((key) => `oauth2.${key}`)];
  return { trust: overridden?.trust ?? origin.trust, members: [...new Set([...(overridden?.members ?? []), ...members])] };
}

/** Merges headers. One replaces another of the same name, in any case (RFC 9110, 5.1). */
function mergeHeaders(own: Readonly<Record<string, string>>, over: Readonly<Record<string, string>>): Record<string, string> {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  return { ...Object.fromEntries(Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))), ...over };
}
