import type { TokenEndpointResponse } from 'oauth4webapi';
import { excerpt, type JsonObject } from '../../../kernel/index.ts';
import { textAt } from './answer-path.ts';
import { type EndpointRequest, failuresOf, isLibraryError, type LibraryParts, libraryParts, type OAuthServices } from './endpoint.ts';
import type { Failures, RequestSecrets } from './failures.ts';
import { issuerIn, signingAlgorithms } from './id-token.ts';
import { heldScopes, missingScopes, scopesIn } from './scopes.ts';
import { readAnswer, tokenMembers } from './token-answer.ts';
import type { OAuthSettings, TokenSet } from './types.ts';

/** Maximum length of a value that a login supplies. */
const maxValueLength = 64 * 1024;

export interface TokenRequest {
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly url: string;
  readonly secrets: RequestSecrets;
  /** The scopes that were asked for. */
  readonly scopes: readonly string[];
  /** True when the answer may drop some of them, as a refresh may; else it is refused. @default false */
  readonly mayDropScopes?: boolean;
  /** True to check an id_token, and to name the account from it. @default false: what it says is known */
  readonly readsIdToken?: boolean;
  readonly redirect?: URLSearchParams;
  readonly signal: AbortSignal | undefined;
}

/** Asks a token endpoint. Throws `refused`, `unsent`, `unanswered` and `mismatch`. */
export async function requestTokens(settings: OAuthSettings, services: OAuthServices, request: TokenRequest): Promise<TokenSet> {
  const endpoint: EndpointRequest = { subject: 'The token request', url: request.url, secrets: request.secrets, signal: request.signal };
  const failures = failuresOf(settings, endpoint);
  let answer: JsonObject = {};
  let issuer: string | undefined;
  const parts = await libraryParts(settings, services, endpoint, failures, (received) => {
    answer = readAnswer(received, failures);
    const { id_token: idToken, ...rest } = tokenMembers(answer, tokenPaths(settings), failures);
    if (request.readsIdToken !== true || typeof idToken !== 'string') return rest;
    issuer = settings.issuer ?? issuerIn(idToken);
    return { ...rest, id_token: idToken };
  });
  const parameters = { ...settings.tokenParams, ...withResource(settings), ...request.parameters };
  const { library, server, client, auth, options } = parts;
  const response = await library.genericTokenEndpointRequest(server, client, auth, request.grantType, parameters, options);
  const receivedAt = services.now();
  const tokens = await processed(parts, response, issuer, failures);
  const claims = request.readsIdToken === true ? library.getValidatedIdTokenClaims(tokens) : undefined;
  const granted = scopesIn(tokens.scope, settings);
  if (request.mayDropScopes !== true) refuseDropped(settings, request.scopes, granted, failures);
  const scopes = heldScopes(settings, request.scopes, granted);
  const account = settings.accountPath === undefined ? undefined : accountIn({ ...answer, id_token: claims }, settings.accountPath);
  return {
    accessToken: tokens.access_token,
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
    receivedAt,
    ...(tokens.expires_in === undefined ? {} : { lifetimeMs: Math.round(tokens.expires_in * 1000) }),
    ...(scopes === undefined ? {} : { scopes }),
    values: valuesOf(settings, answer, request.redirect, failures),
    ...(account === undefined ? {} : { account }),
  };
}

/** Returns the `resource` parameter (RFC 8707, 2). */
export function withResource({ resource }: OAuthSettings): Readonly<Record<string, string>> {
  return resource === undefined ? {} : { resource };
}

/** Checks the answer by the library: issuer and client of an id_token. Its age is no question, as it came with the answer: a wrong clock ends no login. */
async function processed(
  { library, client, server }: LibraryParts,
  response: Response,
  issuer: string | undefined,
  failures: Failures,
): Promise<TokenEndpointResponse> {
  try {
    return await library.processAuthorizationCodeResponse(
      { ...server, issuer: issuer ?? server.issuer, id_token_signing_alg_values_supported: [...signingAlgorithms] },
      { ...client, [library.clockTolerance]: Number.MAX_SAFE_INTEGER },
      response,
    );
  } catch (error) {
    if (isLibraryError(error)) throw failures.mismatch(`the id_token is not for this login: ${error.message}`);
    throw error;
  }
}

function refuseDropped(
  settings: OAuthSettings,
  asked: readonly string[],
  granted: readonly string[] | undefined,
  failures: Failures,
): void {
  const missing = missingScopes(settings, asked, granted);
  if (missing.length > 0) throw failures.refused('invalid_scope', `not granted: ${missing.join(', ')}`);
}

/** Paths of tokens in the answer, from `provides`. */
function tokenPaths({ provides }: OAuthSettings): readonly string[] {
  return Object.values(provides).filter((path) => /(^|\.)\w*token$/.test(path) && !path.startsWith('redirect.'));
}

function valuesOf(
  { provides }: OAuthSettings,
  answer: JsonObject,
  redirect: URLSearchParams | undefined,
  failures: Failures,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, path] of Object.entries(provides)) {
    const [, parameter] = /^redirect\.(.+)$/.exec(path) ?? [];
    const value = parameter === undefined ? textAt(answer, path) : redirect?.get(parameter);
    if (value === undefined || value === null || value === '') continue;
    // They go into addresses and headers of requests.
    if (value.length > maxValueLength || /\p{Cc}/u.test(value))
      throw failures.unanswered(`expected "${path}" on one line of at most ${maxValueLength} characters, received something else`);
    values[name] = value;
  }
  return values;
}

/** Returns the name of the account on one line, as it is written on terminals. */
function accountIn(answer: unknown, path: string): string | undefined {
  return excerpt((textAt(answer, path) ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')) || undefined;
}
