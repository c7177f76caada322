import type { ProviderDefinition } from '../../kernel/index.ts';

/** A provider for programs: `name` and `oauth2` as in the specification, and the whole definition. */
export interface LoadedProvider {
  readonly name: string;
  readonly description?: string;
  readonly documentation_url?: string;
  readonly oauth2?: NonNullable<ProviderDefinition['oauth2']>;
  readonly parameter_mapping?: NonNullable<ProviderDefinition['parameter_mapping']>;
  readonly definition: ProviderDefinition;
}

export function toLoadedProvider(definition: ProviderDefinition): LoadedProvider {
  const { provider, oauth2, parameter_mapping } = definition;
  return {
    ...provider,
    ...(oauth2 === undefined ? {} : { oauth2 }),
    ...(parameter_mapping === undefined ? {} : { parameter_mapping }),
    definition,
  };
}
