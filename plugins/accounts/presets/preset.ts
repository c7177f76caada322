import { type OAuth2Definition, type ProviderDefinition, secretPrefixOf } from '../../../kernel/index.ts';

type Mapping = NonNullable<ProviderDefinition['parameter_mapping']>;

/** The facts about a service that this program has no tools for. */
interface PresetFacts {
  readonly name: string;
  readonly description: string;
  /** Page where a person registers a client. */
  readonly documentationUrl: string;
  /** Source of the facts: a package, with its version. */
  readonly source: string;
  readonly oauth2: Omit<OAuth2Definition, 'client_id' | 'client_secret' | 'unverified'>;
  /** Values beside token and client. @default none */
  readonly values?: Mapping;
}

/** Makes the definition of a provider without tools: its token and its client have names that begin with the provider's. */
export function preset({ name, description, documentationUrl, source, oauth2, values = [] }: PresetFacts): ProviderDefinition {
  const prefix = secretPrefixOf(name);
  const named = (word: string): { parameter: string; env_pattern: string } => ({
    parameter: `${prefix}${word}`,
    env_pattern: `${prefix}${word}`,
  });
  const facts = {
    client_id: `\${${prefix}CLIENT_ID}`,
    client_secret: `\${${prefix}CLIENT_SECRET}`,
    provides: { [`${prefix}ACCESS_TOKEN`]: 'access_token' },
    ...oauth2,
    unverified: true,
    'x-source': source,
  };
  return {
    provider: { name, description, documentation_url: documentationUrl },
    oauth2: facts,
    parameter_mapping: [
      { ...named('ACCESS_TOKEN'), description: 'An OAuth access token. A login supplies it.' },
      { ...named('CLIENT_ID'), required: false, secret: false, description: 'Client id of your OAuth app, for logins.' },
      { ...named('CLIENT_SECRET'), required: false, description: 'Client secret of your OAuth app, for logins.' },
      ...values,
    ],
  };
}
