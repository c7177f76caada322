import type { JsonObject, OutboundFetch } from '../../../kernel/index.ts';
import type { ServerSettings } from '../settings.ts';
import { providerOf } from './account-owner.ts';
import { type DescribedLogin, operatorOrigins } from './server-provider.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Registers this program as a client of the authorization server of a login (RFC 7591). Returns the server's answer. Registers no scopes: a step-up
 * may ask for more than the first login.
 */
export async function registerClient(
  settings: ServerSettings,
  { metadata }: DescribedLogin,
  redirectUris: readonly string[],
  fetch: OutboundFetch,
): Promise<JsonObject> {
  const { registerClient: register } = await import('../../shared/oauth/registration.ts');
  const hasDevices = listed(metadata, 'grant_types_supported')?.includes(deviceGrant) === true;
  return register({
    ...{ provider: providerOf(settings.name), fetch, operatorOrigins: operatorOrigins(settings), redirectUris },
    url: String(metadata['registration_endpoint']),
    clientAuth: clientAuthFor(listed(metadata, 'token_endpoint_auth_methods_supported')),
    grantTypes: ['authorization_code', 'refresh_token', ...(hasDevices ? [deviceGrant] : [])],
  });
}

/** Returns the way in which a new client proves itself: without a secret, where the server has that, or says nothing. */
function clientAuthFor(methods: readonly unknown[] | undefined): 'none' | 'client_secret_basic' | 'client_secret_post' {
  if (methods === undefined || methods.includes('none')) return 'none';
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post') ? 'client_secret_basic' : 'client_secret_post';
}

function listed(metadata: JsonObject, name: string): readonly unknown[] | undefined {
  const value = metadata[name];
  return Array.isArray(value) ? value : undefined;
}
