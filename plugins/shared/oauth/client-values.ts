import { type Kernel, type Provider, placeholdersIn } from '../../../kernel/index.ts';

/** A value that the operator sets for logins at a provider. */
export interface ClientValue {
  /** Name in secret stores and the environment. */
  readonly name: string;
  readonly isSet: boolean;
  /** True when no login begins without it. */
  readonly isRequired: boolean;
}

/** Returns the values that a login at the provider needs: the client, and those in its addresses that have no default. */
export async function clientValues(kernel: Pick<Kernel, 'resolveSecrets' | 'secret'>, provider: Provider): Promise<readonly ClientValue[]> {
  const { oauth2, parameter_mapping: mapping = [] } = provider.definition;
  if (oauth2 === undefined) return [];
  const { client_id: clientId, client_secret: clientSecret } = oauth2;
  const urls = [oauth2.auth_url, oauth2.device_url, oauth2.token_url, oauth2.refresh_url].map((url = '') => url.replaceAll('${', '{'));
  const inUrls = placeholdersIn(urls).flatMap((name) => {
    if (name === 'client_id') return [];
    const entry = mapping.find(({ parameter }) => parameter === name);
    return entry?.default === undefined ? [entry?.env_pattern ?? name] : [];
  });
  const isPublic = oauth2.client_auth === 'none';
  const required = [...placeholdersIn(clientId), ...inUrls];
  const names = [...new Set([...required, ...(isPublic ? [] : placeholdersIn(clientSecret))])];
  await kernel.resolveSecrets(names);
  return names.map((name) => ({ name, isSet: kernel.secret(name) !== undefined, isRequired: required.includes(name) }));
}

/** Returns the name of a provider's refresh token in the resolver chain, such as `GMAIL_REFRESH_TOKEN`. */
export function refreshTokenName(provider: string): string {
  return `${provider.toUpperCase().replaceAll('-', '_')}_REFRESH_TOKEN`;
}
