import type * as OAuth from 'oauth4webapi';
import type { JsonObject, OutboundFetch } from '../../../kernel/index.ts';
import { clientAuthOf } from './client-auth.ts';
import { Failures, type RequestSecrets } from './failures.ts';
import { checkAddress, guardedRequest, type HttpAnswer } from './guarded-request.ts';
import type { OAuthSettings } from './types.ts';

/** Services of an OAuth client. */
export interface OAuthServices {
  readonly fetch: OutboundFetch;
  /** Epoch ms. */
  readonly now: () => number;
  /** Waits between two questions of a device login. Rejects when the signal aborts. @default a timer */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Parts of a request that the library takes. */
export interface LibraryParts {
  readonly library: typeof OAuth;
  readonly server: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly auth: OAuth.ClientAuth;
  readonly options: OAuth.HttpRequestOptions<'POST', URLSearchParams>;
}

export interface EndpointRequest {
  /** The request, such as `The token request`. */
  readonly subject: string;
  readonly url: string;
  readonly secrets: RequestSecrets;
  readonly signal: AbortSignal | undefined;
}

/** Makes the failures of a request, with the client's secret masked. */
export function failuresOf({ provider, clientId, clientSecret }: OAuthSettings, { subject, secrets, url }: EndpointRequest): Failures {
  const pair = clientSecret === undefined ? undefined : Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return new Failures(provider, subject, { CLIENT_SECRET: clientSecret, CLIENT_CREDENTIALS: pair, ...secrets }, url);
}

/** Returns the library's parts for one endpoint. `read`: makes of an answer what the library reads. */
export async function libraryParts(
  settings: OAuthSettings,
  { fetch }: OAuthServices,
  { url, signal }: EndpointRequest,
  failures: Failures,
  read: (answer: HttpAnswer) => JsonObject,
): Promise<LibraryParts> {
  const target = { url, operatorOrigins: settings.operatorOrigins, failures };
  checkAddress(target);
  const library = await import('oauth4webapi');
  const send = async (_url: string, options: OAuth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> => {
    const request = requestOf(settings, options);
    return Response.json(read(await guardedRequest(target, request, fetch, signal)));
  };
  return {
    library,
    server: { issuer: settings.issuer ?? url, token_endpoint: url, device_authorization_endpoint: url, revocation_endpoint: url },
    client: { client_id: settings.clientId },
    auth: clientAuthOf(settings),
    // The addresses were checked by `guardedRequest`.
    options: { [library.customFetch]: send, [library.allowInsecureRequests]: true },
  };
}

function requestOf(
  { tokenBody }: OAuthSettings,
  { body, headers, method }: OAuth.CustomFetchOptions<'POST', URLSearchParams>,
): RequestInit {
  // An idle connection that the server closes at this moment would lose a request that must not be repeated.
  const common = { ...headers, accept: 'application/json', connection: 'close' };
  if (tokenBody === 'form') return { method, headers: common, body: String(body) };
  return { method, headers: { ...common, 'content-type': 'application/json' }, body: JSON.stringify(Object.fromEntries(body)) };
}

/** True for an error of the library about the answer, such as an id_token of another client. */
export function isLibraryError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('OAUTH_');
}
