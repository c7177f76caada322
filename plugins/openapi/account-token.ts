import type { Provider } from '../../kernel/index.ts';

/** Returns the name of the secret that holds the access token of a provider's accounts; undefined where logins supply no token. */
export function accountTokenOf(provider: Provider | undefined): string | undefined {
  const provides = Object.entries(provider?.definition.oauth2?.provides ?? {});
  const [whole] = provides.find(([, path]) => path === 'access_token') ?? [];
  const [nested] = provides.find(([, path]) => path.endsWith('.access_token')) ?? [];
  return whole ?? nested;
}
