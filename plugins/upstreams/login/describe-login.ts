import { excerpt, type JsonObject, type OutboundFetch, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { type Challenge, challengeOf } from '../../shared/http/challenge.ts';
import type { ServerSettings } from '../settings.ts';
import { providerOf } from './account-owner.ts';
import { type DescribedLogin, operatorOrigins } from './server-provider.ts';

/** Time limit of the question that makes a server name its login, in milliseconds. */
const probeTimeoutMs = 15_000;

/**
 * Looks up how people log in at a server: its metadata (RFC 9728), whose address is in its 401, and those of its authorization server (RFC 8414).
 * Throws for metadata of another server or issuer, and for one that a public client cannot use safely.
 */
export async function describeLogin(settings: ServerSettings, known: Challenge | undefined, fetch: OutboundFetch): Promise<DescribedLogin> {
  const { name, url = '', oauth = {} } = settings;
  const { discoverAuthorizationServer, discoverResource } = await import('../../shared/oauth/discovery.ts');
  const { oauthFailureOf } = await import('../../shared/oauth/failures.ts');
  const services = { provider: providerOf(name), fetch, operatorOrigins: operatorOrigins(settings) };
  const challenge = known ?? (await probe(url, fetch));
  const resource = await discoverResource({ ...services, url, metadataUrl: challenge?.metadataUrl });
  const refuse = (problem: string): never => {
    throw new ToolkitError('CONFIG_INVALID', `Nobody can log in to the MCP server "${name}": ${problem}`, { server: name });
  };
  const named = resource?.authorizationServers ?? [];
  const { issuer = named[0] ?? parseUrl(url)?.origin ?? '' } = oauth;
  if (named.length > 0 && !named.includes(issuer))
    refuse(
      `it takes tokens of ${excerpt(named.join(', '))}, not of the configured issuer ${excerpt(issuer)}. Correct "issuer" in "oauth".`,
    );
  const metadata = await discoverAuthorizationServer({ ...services, issuer }).catch((error: unknown) => {
    const isGuess = resource === undefined && oauth.issuer === undefined && oauthFailureOf(error)?.kind === 'refused';
    if (isGuess)
      return refuse(
        'it describes no login, and none was found on its own host. Write "oauth: { issuer: … }", or use a token in "headers".',
      );
    throw error;
  });
  const methods = metadata['code_challenge_methods_supported'];
  // MCP 2025-11-25, Authorization, Authorization Code Protection: a server that does not name S256 must not be used.
  if (!Array.isArray(methods) || !methods.includes('S256'))
    refuse(`its authorization server ${excerpt(issuer)} does not offer PKCE with S256, without which a login can be stolen.`);
  return {
    metadata,
    issuer,
    resource: resource?.resource ?? withoutFragment(url),
    scopes: scopesOf(settings, challenge, resource, metadata),
  };
}

/** Returns the scopes that the operator wrote, else those that the server asks for (MCP 2025-11-25, Authorization, Scope Selection Strategy). */
function scopesOf(
  { oauth }: ServerSettings,
  challenge: Challenge | undefined,
  resource: { readonly scopes: readonly string[] } | undefined,
  metadata: JsonObject,
): readonly string[] {
  if (oauth?.scopes !== undefined) return oauth.scopes;
  const scopes = challenge !== undefined && challenge.scopes.length > 0 ? challenge.scopes : (resource?.scopes ?? []);
  const supported = metadata['scopes_supported'];
  // A refresh token is given for it alone by some.
  const isOffline = scopes.length > 0 && Array.isArray(supported) && supported.includes('offline_access');
  return [...new Set([...scopes, ...(isOffline ? ['offline_access'] : [])])];
}

/** Sends a request without a token, and returns the challenge of its refusal. Undefined when there is none: the well-known paths are left. */
async function probe(url: string, fetch: OutboundFetch): Promise<Challenge | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(probeTimeoutMs),
  });
  await response.body?.cancel().catch(() => {});
  return response.status === 401 ? challengeOf(response) : undefined;
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/, '');
}
