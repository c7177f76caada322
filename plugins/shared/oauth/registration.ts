import { type JsonObject, parseUrl } from '../../../kernel/index.ts';
import { textAt } from './answer-path.ts';
import type { LookUp } from './discovery.ts';
import { Failures } from './failures.ts';
import { guardedRequest } from './guarded-request.ts';
import { readAnswer } from './token-answer.ts';

export interface ClientDescription {
  /** @default 'toolkit' */
  readonly clientName?: string;
  readonly redirectUris: readonly string[];
  readonly scopes?: readonly string[];
  /** @default ['authorization_code', 'refresh_token'] */
  readonly grantTypes?: readonly string[];
  /** The way in which the client proves itself. A program on a machine of its user keeps no secret (RFC 8252, 8.5). @default 'none' */
  readonly clientAuth?: 'none' | 'client_secret_basic' | 'client_secret_post';
}

/** Longest client id and secret, in characters. */
const maxLength = 4096;

/**
 * Registers a client (RFC 7591) at `url`. Returns the answer, whose `client_id` and `client_secret` were checked. Throws `refused`, `unsent` and
 * `unanswered`.
 */
export async function registerClient({
  url,
  fetch,
  operatorOrigins,
  provider,
  signal,
  ...client
}: LookUp & ClientDescription & { readonly url: string }): Promise<JsonObject> {
  const failures = new Failures(provider, 'The request to register a client');
  const body = JSON.stringify(clientMetadata(client));
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = readAnswer(
    await guardedRequest({ url, operatorOrigins, failures }, { method: 'POST', headers, body }, fetch, signal),
    failures,
  );
  const id = textAt(answer, 'client_id');
  if (id === undefined || id.length > maxLength)
    throw failures.unanswered('expected "client_id" in the answer, received none that can be used');
  if ((textAt(answer, 'client_secret') ?? '').length > maxLength) throw failures.unanswered('its "client_secret" is too long');
  const method = textAt(answer, 'token_endpoint_auth_method') ?? 'none';
  if (!['none', 'client_secret_basic', 'client_secret_post'].includes(method)) {
    throw failures.unanswered('expected "token_endpoint_auth_method" none, client_secret_basic or client_secret_post, received another');
  }
  return answer;
}

/** Returns the metadata of a client (RFC 7591, 2), as they are registered. */
export function clientMetadata(client: ClientDescription): JsonObject {
  const { clientName = 'toolkit', redirectUris, scopes = [], clientAuth = 'none' } = client;
  const { grantTypes = ['authorization_code', 'refresh_token'] } = client;
  return {
    client_name: clientName,
    redirect_uris: [...redirectUris],
    grant_types: [...grantTypes],
    response_types: ['code'],
    token_endpoint_auth_method: clientAuth,
    ...(redirectUris.every(isOnThisMachine) ? { application_type: 'native' } : {}),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  };
}

/**
 * Returns the document that an operator publishes at the address `clientId`, which is then the client's id at every server that reads such documents
 * (OAuth Client ID Metadata Document).
 */
export function clientIdDocument(clientId: string, client: ClientDescription): JsonObject {
  return { client_id: clientId, ...clientMetadata(client) };
}

/** True for an address that can be a client id: https with a path, and without user, fragment and dot segments. */
export function isClientIdAddress(clientId: string): boolean {
  const url = parseUrl(clientId);
  if (url === undefined || url.protocol !== 'https:' || url.pathname === '/' || url.hash !== '') return false;
  // The id is compared as text: an address that is written in another way is another client.
  return url.username === '' && url.password === '' && url.href === clientId;
}

function isOnThisMachine(redirectUri: string): boolean {
  const url = parseUrl(redirectUri);
  return url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
}
