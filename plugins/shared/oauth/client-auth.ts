import type { ClientAuth } from 'oauth4webapi';
import type { OAuthSettings } from './types.ts';

/**
 * Returns the way in which a client proves itself (RFC 6749, 2.3.1). Its own and not the library's: that one writes `-` and `_` as escapes, which
 * many services take literally.
 */
export function clientAuthOf({ clientAuth, clientId, clientSecret = '' }: OAuthSettings): ClientAuth {
  if (clientAuth === 'basic')
    return (_server, _client, _body, headers) => headers.set('authorization', basicCredentials(clientId, clientSecret));
  return (_server, _client, body) => {
    body.set('client_id', clientId);
    if (clientAuth === 'post') body.set('client_secret', clientSecret);
  };
}

/** Returns the value of an Authorization header. Both parts are form-encoded first (RFC 6749, 2.3.1). */
export function basicCredentials(clientId: string, clientSecret: string): string {
  const credentials = [clientId, clientSecret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length)).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
