import type { Provider } from '../../../kernel/index.ts';
import type { CatalogueProvider } from './catalogue.ts';
import type { Facts } from './facts.ts';

/** Returns the facts of the catalogue about a provider, in the form of `providerFacts`. */
export function catalogueProviderFacts({ base_url: baseUrl, oauth2, parameter_mapping: mapping }: CatalogueProvider): Facts {
  return {
    base_url: baseUrl ?? undefined,
    oauth2: oauth2 === null ? undefined : oauthFacts(oauth2),
    parameter_mapping: Object.fromEntries(
      Object.entries(mapping).map(([name, { required, secret, default: byDefault }]) => [
        name,
        // What has a default need not be set.
        { env_pattern: name, required: required && byDefault === undefined, secret },
      ]),
    ),
  };
}

/** The same of a provider as it was loaded. */
export function providerFacts({ definition: { base_url: baseUrl, oauth2, parameter_mapping: mapping = [] } }: Provider): Facts {
  return {
    base_url: baseUrl,
    oauth2: oauth2 === undefined ? undefined : oauthFacts(oauth2),
    parameter_mapping: Object.fromEntries(
      mapping.map(({ parameter, env_pattern, required = true, secret = true }) => [parameter, { env_pattern, required, secret }]),
    ),
  };
}

interface OAuth {
  readonly auth_url?: string;
  readonly token_url: string;
  readonly revoke_url?: string | null | undefined;
  /** An address that takes other requests than those of RFC 7009. */
  readonly 'x-revoke_url'?: string;
  readonly scopes: Readonly<Record<string, readonly string[]>>;
}

function oauthFacts({ auth_url: authUrl, token_url: tokenUrl, scopes, ...oauth2 }: OAuth): Facts {
  const revokeUrl = oauth2.revoke_url ?? oauth2['x-revoke_url'];
  // A definition has what the catalogue lists as extra parameters in the query.
  return { auth_url: authUrl?.split('?', 1)[0], token_url: tokenUrl, revoke_url: revokeUrl ?? undefined, scopes };
}
