import { readJson } from '../../../kernel/index.ts';
import { basicCredentials } from './client-auth.ts';
import { type EndpointRequest, failuresOf, libraryParts, type OAuthServices } from './endpoint.ts';
import { type Failures, oauthFailureOf } from './failures.ts';
import { guardedRequest, type HttpAnswer } from './guarded-request.ts';
import { readAnswer } from './token-answer.ts';
import type { OAuthSettings, TokenSet } from './types.ts';

/** Codes of a token that is dead already, as services write them instead of status 200 (RFC 7009, 2.2). */
const deadCodes: ReadonlySet<string> = new Set(['invalid_token', 'invalid_grant', 'token_revoked', 'expired_token']);

/** Revokes the refresh token, else the access token. False when the provider has no address for it. */
export async function revokeTokens(
  settings: OAuthSettings,
  services: OAuthServices,
  { accessToken, refreshToken }: TokenSet,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { revokeUrl, revokeMethod = 'post' } = settings;
  if (revokeUrl === undefined) return false;
  const secrets = { ACCESS_TOKEN: accessToken, REFRESH_TOKEN: refreshToken };
  const endpoint: EndpointRequest = { subject: 'The request to revoke the token', url: revokeUrl, secrets, signal };
  const failures = failuresOf(settings, endpoint);
  try {
    if (revokeMethod === 'delete') await deleteToken(settings, services, endpoint, failures, accessToken);
    else await postToken(settings, services, endpoint, failures, refreshToken ?? accessToken, refreshToken === undefined);
  } catch (error) {
    const code = oauthFailureOf(error)?.error ?? '';
    // GitHub has the application in the address, and so a token that it does not know is not found.
    if (!deadCodes.has(code) && (revokeMethod !== 'delete' || code !== 'http_404')) throw error;
  }
  return true;
}

async function postToken(
  settings: OAuthSettings,
  services: OAuthServices,
  endpoint: EndpointRequest,
  failures: Failures,
  token: string,
  isAccess: boolean,
): Promise<void> {
  const parts = await libraryParts(settings, services, endpoint, failures, (answer) => checkedAnswer(answer, failures));
  const { library, server, client, auth, options } = parts;
  const additionalParameters = { token_type_hint: isAccess ? 'access_token' : 'refresh_token' };
  await library.processRevocationResponse(
    await library.revocationRequest(server, client, auth, token, { ...options, additionalParameters }),
  );
}

/** Revokes as GitHub does: the address names the application, and the body has the access token. */
async function deleteToken(
  { clientId, clientSecret = '', operatorOrigins }: OAuthSettings,
  { fetch }: OAuthServices,
  { url, signal }: EndpointRequest,
  failures: Failures,
  accessToken: string,
): Promise<void> {
  const headers = {
    authorization: basicCredentials(clientId, clientSecret),
    accept: 'application/json',
    'content-type': 'application/json',
  };
  const init = { method: 'DELETE', headers, body: JSON.stringify({ access_token: accessToken }) };
  checkedAnswer(await guardedRequest({ url, operatorOrigins, failures }, init, fetch, signal), failures);
}

/** A success needs no body, and may have any. */
function checkedAnswer(answer: HttpAnswer, failures: Failures): Record<string, never> {
  if (answer.status >= 200 && answer.status < 300 && !isJson(answer.text)) return {};
  readAnswer(answer, failures);
  return {};
}

function isJson(text: string): boolean {
  try {
    readJson(text);
    return true;
  } catch {
    return false;
  }
}
