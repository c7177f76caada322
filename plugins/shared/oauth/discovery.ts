import { excerpt, type JsonObject, type OutboundFetch, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import { textAt } from './answer-path.ts';
import { Failures } from './failures.ts';
import { addressProblem, guardedRequest } from './guarded-request.ts';
import { readAnswer } from './token-answer.ts';
import { resourceMetadataUrl, resourceWellKnown, serverMetadataUrls } from './well-known.ts';

/** Services and facts for looking something up at a server. */
export interface LookUp {
  /** Name of the provider, for messages. */
  readonly provider: string;
  readonly fetch: OutboundFetch;
  /** See `OAuthSettings.operatorOrigins`. */
  readonly operatorOrigins: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** Metadata of a protected resource (RFC 9728, 2). */
export interface ResourceDescription {
  /** Identifier of the resource, for the parameter `resource` of requests. */
  readonly resource: string;
  /** Issuers of its tokens. */
  readonly authorizationServers: readonly string[];
  readonly scopes: readonly string[];
}

/** Addresses in the metadata of an authorization server to which requests go, with secrets. */
const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'device_authorization_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const;

/**
 * Returns the metadata of an authorization server (RFC 8414, and OpenID Connect Discovery 1.0). Refuses those of another issuer (RFC 8414, 3.3), and
 * those with an address that is not safe. Throws `unsent`, `unanswered` and `mismatch`.
 */
export async function discoverAuthorizationServer({ issuer, ...lookUp }: LookUp & { readonly issuer: string }): Promise<JsonObject> {
  const failures = new Failures(lookUp.provider, 'The request for the metadata of the authorization server');
  const problem = addressProblem(issuer, lookUp.operatorOrigins);
  if (problem !== undefined) throw failures.unsent(problem, undefined, 'Correct its address.');
  let first: ToolkitError | undefined;
  for (const url of serverMetadataUrls(issuer)) {
    const found = await documentAt(url, lookUp, failures);
    if ('document' in found) return checkedServer(found.document, issuer, lookUp, failures);
    first ??= found.absent;
  }
  throw first ?? failures.unanswered('it has no metadata');
}

/**
 * Returns the metadata of a protected resource (RFC 9728), such as an MCP server, at the address that its refusal names (`metadataUrl`), else at the
 * well-known ones. Undefined when there are none. Refuses those of another resource (RFC 9728, 3.3): `resource` must be the address, or on the same origin
 * an address above it, as MCP allows. Throws `unsent`, `unanswered` and `mismatch`.
 */
export async function discoverResource({
  url,
  metadataUrl,
  ...lookUp
}: LookUp & { readonly url: string; readonly metadataUrl?: string | undefined }): Promise<ResourceDescription | undefined> {
  const failures = new Failures(lookUp.provider, 'The request for the metadata of the resource');
  const root = `${parseUrl(url)?.origin ?? ''}${resourceWellKnown}`;
  const urls = metadataUrl === undefined ? [...new Set([resourceMetadataUrl(url), root])] : [metadataUrl];
  for (const address of urls) {
    const found = await documentAt(address, lookUp, failures);
    if ('document' in found) return checkedResource(found.document, url, failures);
    // Where the server names the address, its absence is no answer.
    if (metadataUrl !== undefined) throw found.absent;
  }
  return undefined;
}

/** Fetches a document. `absent`: the server answers, and has none there: many answer with a page or a login. Throws what would fail elsewhere as well. */
async function documentAt(
  url: string,
  { fetch, operatorOrigins, signal }: LookUp,
  failures: Failures,
): Promise<{ readonly document: JsonObject } | { readonly absent: ToolkitError }> {
  const answer = await guardedRequest({ url, operatorOrigins, failures }, { headers: { accept: 'application/json' } }, fetch, signal);
  try {
    return { document: readAnswer(answer, failures) };
  } catch (error) {
    if (answer.status >= 500 || !ToolkitError.is(error)) throw error;
    return { absent: error };
  }
}

function checkedServer(document: JsonObject, issuer: string, { operatorOrigins }: LookUp, failures: Failures): JsonObject {
  if (document['issuer'] !== issuer) {
    throw failures.mismatch(
      `expected the metadata of ${excerpt(issuer, 60)}, received those of ${excerpt(String(document['issuer']), 60)}`,
    );
  }
  for (const name of endpoints) {
    const value = document[name];
    if (value === undefined || value === null) continue;
    const problem = typeof value === 'string' ? addressProblem(value, operatorOrigins) : 'it is no text';
    if (problem !== undefined) throw failures.unanswered(`its "${name}" cannot be used: ${problem}`);
  }
  if (typeof document['token_endpoint'] !== 'string') throw failures.unanswered('expected "token_endpoint" in the metadata, received none');
  return document;
}

function checkedResource(document: JsonObject, url: string, failures: Failures): ResourceDescription {
  const resource = textAt(document, 'resource') ?? '';
  if (!covers(resource, url)) {
    throw failures.mismatch(
      `expected the metadata of ${excerpt(url, 60)}, received those of ${resource === '' ? 'nothing' : excerpt(resource, 60)}`,
    );
  }
  const texts = (name: string): readonly string[] => [document[name]].flat().filter((one) => typeof one === 'string');
  return { resource, authorizationServers: texts('authorization_servers'), scopes: texts('scopes_supported') };
}

/** True for the address itself, and for one above it on the same origin. */
function covers(resource: string, url: string): boolean {
  const [one, other] = [parseUrl(resource), parseUrl(url)];
  if (one === undefined || other === undefined || one.origin !== other.origin || one.hash !== '') return false;
  if (one.search !== '' && one.search !== other.search) return false;
  return `${other.pathname.replace(/\/$/, '')}/`.startsWith(`${one.pathname.replace(/\/$/, '')}/`);
}
