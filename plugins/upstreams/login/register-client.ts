import type { JsonObject, OutboundFetch } from '../../../kernel/index.ts';
import type { ServerSettings } from '../settings.ts';
import { providerOf } from './account-owner.ts';
import { type DescribedLogin, operatorOrigins } from './server-provider.ts';

/** Registers this program as a client of the authorization server of a login (RFC 7591). Returns the server's answer. */
export async function registerClient(
  settings: ServerSettings,
  { metadata, scopes }: DescribedLogin,
  redirectUris: readonly string[],
  fetch: OutboundFetch,
): Promise<JsonObject> {
  const { registerClient: register } = await import('../../shared/oauth/registration.ts');
  return register({
    ...{ provider: providerOf(settings.name), fetch, operatorOrigins: operatorOrigins(settings) },
    url: String(metadata['registration_endpoint']),
    redirectUris,
    scopes,
  } as never);
}
