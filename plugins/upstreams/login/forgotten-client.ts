import type { OutboundFetch } from '../../../kernel/index.ts';
import type { OAuthSettings } from '../../shared/oauth/types.ts';

/** No server has issued it. */
const noToken = 'toolkit-asks-whether-its-client-is-known';

/**
 * Asks an authorization server whether it still knows a client, by a refresh that cannot succeed: it answers `invalid_client` (RFC 6749, 5.2), and
 * a known client gets another error. A browser would show the person an error page instead, and nothing would come back. Resolves to false without
 * an answer.
 */
export async function isForgotten(settings: OAuthSettings, fetch: OutboundFetch, signal?: AbortSignal): Promise<boolean> {
  const { createOAuthClient } = await import('../../shared/oauth/client.ts');
  const { oauthFailureOf } = await import('../../shared/oauth/failures.ts');
  const client = createOAuthClient(settings, { fetch, now: Date.now });
  try {
    await client.refresh({ accessToken: '', refreshToken: noToken, receivedAt: 0, values: {} }, signal);
    return false;
  } catch (error) {
    return oauthFailureOf(error)?.error === 'invalid_client';
  }
}
