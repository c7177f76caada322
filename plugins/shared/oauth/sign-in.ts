import { type JsonObject, type OutboundFetch, toUrl } from '../../../kernel/index.ts';
import { randomValue } from '../keys/random-value.ts';
import { createOAuthClient } from './client.ts';
import { discoverAuthorizationServer } from './discovery.ts';
import { type EndpointRequest, failuresOf, isLibraryError, type LibraryParts, libraryParts, type OAuthServices } from './endpoint.ts';
import { type Failures, mismatchError } from './failures.ts';
import { guardedRequest, type HttpAnswer } from './guarded-request.ts';
import { signingAlgorithms } from './id-token.ts';
import { codeOf } from './redirect.ts';
import { readAnswer, tokenMembers } from './token-answer.ts';
import type { AuthorizationRequest, OAuthSettings } from './types.ts';

/** Allowed difference between the clocks of an issuer and of this machine, in seconds. The nonce says that a token is of this login. */
const clockToleranceS = 300;

/** Maximum length of a subject (OpenID Connect Core, 2). */
const maxSubjectLength = 255;

/** A client by which persons sign in at an OpenID provider. */
export interface SignInClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Scopes in addition to `openid`. */
  readonly scopes: readonly string[];
}

/** A begun sign-in. Secret: it holds the verifier. */
export interface SignInRequest extends AuthorizationRequest {
  /** The issuer and the client that it began with. */
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
}

/** Begins a sign-in: discovers the issuer, and makes verifier, nonce and the address for the browser. Throws like `OAuthClient.begin`. */
export async function beginSignIn(
  client: SignInClient,
  services: OAuthServices,
  { redirectUri, state, signal }: { readonly redirectUri: string; readonly state: string; readonly signal?: AbortSignal | undefined },
): Promise<SignInRequest> {
  const { issuer, clientId, scopes } = client;
  const metadata = await metadataOf(client, services, signal);
  const nonce = randomValue();
  const settings = { ...settingsOf(client, metadata), authorizationParams: { nonce, ...promptOf(metadata) } };
  const request = await createOAuthClient(settings, services).begin({ redirectUri, state, scopes: ['openid', ...scopes] });
  return { ...request, issuer, clientId, nonce };
}

/** A person who has signed in. */
export interface SignedInPerson {
  /** The person at the issuer, never another one (OpenID Connect Core, 2). */
  readonly subject: string;
  /** All claims of the id_token, as the issuer says them. */
  readonly claims: JsonObject;
}

/**
 * Checks the redirect, exchanges its code, and returns the person of the id_token: its issuer, audience, nonce, time and signature were checked
 * (OpenID Connect Core, 3.1.3.7). Keeps no token. Throws like `OAuthClient.finish`.
 */
export async function finishSignIn(
  client: SignInClient,
  services: OAuthServices,
  request: SignInRequest,
  redirect: URLSearchParams,
  signal?: AbortSignal,
): Promise<SignedInPerson> {
  const { issuer, clientId } = client;
  if (request.issuer !== issuer || request.clientId !== clientId)
    throw mismatchError(issuer, 'the server has another issuer or client for sign-ins since it began');
  const metadata = await metadataOf(client, services, signal);
  const settings = settingsOf(client, metadata);
  const code = codeOf(settings, request, redirect);
  const { verifier = '', redirectUri } = request;
  const endpoint: EndpointRequest = {
    subject: 'The token request',
    url: settings.tokenUrl,
    secrets: { CODE: code, CODE_VERIFIER: verifier },
    signal,
  };
  const failures = failuresOf(settings, endpoint);
  const keys = keysOf(metadata, settings, { fetch: services.fetch, failures, signal });
  const read = (answer: HttpAnswer): JsonObject => tokenMembers(readAnswer(answer, failures), [], failures);
  const parts = await libraryParts(settings, services, endpoint, failures, read);
  const parameters = { code, redirect_uri: redirectUri, code_verifier: verifier };
  const { library, server, auth, options } = parts;
  const response = await library.genericTokenEndpointRequest(server, parts.client, auth, 'authorization_code', parameters, options);
  try {
    return await personOf(parts, response, { issuer, nonce: request.nonce, keys });
  } catch (error) {
    if (isLibraryError(error)) throw failures.mismatch(`the id_token is not for this login: ${error.message}`);
    throw error;
  }
}

interface IssuerKeys {
  readonly url: string;
  fetch(): Promise<Response>;
}

/** Returns the person of the id_token in a token answer, checked by the library. */
async function personOf(
  { library, client }: LibraryParts,
  response: Response,
  { issuer, nonce, keys }: { readonly issuer: string; readonly nonce: string; readonly keys: IssuerKeys },
): Promise<SignedInPerson> {
  const server = { issuer, jwks_uri: keys.url, id_token_signing_alg_values_supported: [...signingAlgorithms] };
  const tolerant = { ...client, [library.clockTolerance]: clockToleranceS };
  const tokens = await library.processAuthorizationCodeResponse(server, tolerant, response, { expectedNonce: nonce, requireIdToken: true });
  // The library takes the connection for the proof unless it is asked. The address of the keys is checked by `guardedRequest`.
  const options = { [library.customFetch]: keys.fetch, [library.allowInsecureRequests]: true };
  await library.validateApplicationLevelSignature(server, response, options);
  const claims = library.getValidatedIdTokenClaims(tokens);
  const subject = claims?.sub ?? '';
  if (subject === '' || subject.length > maxSubjectLength)
    throw mismatchError(issuer, `expected a subject of at most ${maxSubjectLength} characters in the id_token, received ${subject.length}`);
  return { subject, claims: { ...claims } as JsonObject };
}

/** Returns the issuer's keys, fetched with each sign-in: there are few. */
function keysOf(
  { jwks_uri: url }: JsonObject,
  { operatorOrigins }: OAuthSettings,
  { fetch, failures, signal }: { readonly fetch: OutboundFetch; readonly failures: Failures; readonly signal: AbortSignal | undefined },
): IssuerKeys {
  if (typeof url !== 'string') throw failures.unanswered('expected "jwks_uri" in the metadata of the issuer, received none');
  const request = { headers: { accept: 'application/json' } };
  const answer = (): Promise<HttpAnswer> => guardedRequest({ url, operatorOrigins, failures }, request, fetch, signal);
  return { url, fetch: async () => Response.json(readAnswer(await answer(), failures)) };
}

function metadataOf({ issuer }: SignInClient, { fetch }: OAuthServices, signal: AbortSignal | undefined): Promise<JsonObject> {
  return discoverAuthorizationServer({ issuer, provider: issuer, fetch, operatorOrigins: [toUrl(issuer).origin], signal });
}

function settingsOf({ issuer, clientId, clientSecret }: SignInClient, metadata: JsonObject): OAuthSettings {
  const authUrl = metadata['authorization_endpoint'];
  return {
    provider: issuer,
    issuer,
    requiresIss: metadata['authorization_response_iss_parameter_supported'] === true,
    grant: 'code',
    ...(typeof authUrl === 'string' ? { authUrl } : {}),
    tokenUrl: String(metadata['token_endpoint']),
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    clientAuth: clientSecret === undefined ? 'none' : secretAuthOf(metadata),
    tokenBody: 'form',
    pkce: true,
    scopeSeparator: ' ',
    authorizationParams: {},
    tokenParams: {},
    provides: {},
    refreshMarginMs: 0,
    operatorOrigins: [toUrl(issuer).origin],
  };
}

/** RFC 8414, 2: basic where the metadata names nothing. */
function secretAuthOf({ token_endpoint_auth_methods_supported: methods }: JsonObject): 'basic' | 'post' {
  return Array.isArray(methods) && !methods.includes('client_secret_basic') && methods.includes('client_secret_post') ? 'post' : 'basic';
}

/** Asks the person anew: a session that somebody else has put into this browser must not answer. Where the issuer names its prompts, only with one of them. */
function promptOf({ prompt_values_supported: named }: JsonObject): Readonly<Record<string, string>> {
  const prompt = Array.isArray(named) ? ['login', 'select_account'].find((value) => named.includes(value)) : 'login';
  return prompt === undefined ? {} : { prompt };
}
