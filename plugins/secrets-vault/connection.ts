import { excerpt, messageOf, parseUrl, readJson, ToolkitError, toUrl } from '../../kernel/index.ts';
import { outage, refusal } from '../shared/remote-secrets/store-failure.ts';
import { strictUtf8 } from '../shared/text/utf8.ts';
import { type SecretLocation, urlOf } from './secret-location.ts';
import type { TrustedConnections } from './trusted-connections.ts';

export interface VaultRequest {
  readonly location: SecretLocation;
  readonly method: 'GET' | 'POST';
  /** The API path after `/v1/`, not encoded. */
  readonly path: string;
  /** ASCII without spaces. */
  readonly token?: string;
  readonly body?: unknown;
  /** The absolute path of the certificates to trust. */
  readonly caFile: string | undefined;
}

export interface VaultAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined when the body is not JSON. */
  readonly body: unknown;
}

/** Limit of an answer, in bytes. Answers of Vault are small; a larger one comes from another server. */
const maxBytes = 1024 * 1024;

/** Error codes of TLS: the network works, and a retry would fail in the same way. */
const tlsCodePattern = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_|ERR_SSL_|INVALID_|HOSTNAME_)/;

/**
 * Sends one request to the HTTP API of Vault, with at most one redirect, on the same origin. Returns an answer whatever its
 * status. Throws SECRET_STORE_UNAVAILABLE without one; the reason of the signal passes unchanged if it is a ToolkitError.
 */
export async function sendRequest(request: VaultRequest, trust: TrustedConnections, signal: AbortSignal): Promise<VaultAnswer> {
  const { location } = request;
  const url = urlOf(location, request.path);
  try {
    const first = await send(request, url, trust, signal);
    const target = await redirectOf(request, url, first);
    const last = target === undefined ? first : await send(request, target, trust, signal);
    if (target !== undefined && (await redirectOf(request, target, last)) !== undefined) {
      throw refusal(
        `${location.label} redirects more than once. Set VAULT_ADDR to the address that answers.`,
        detailsOf(request, last.status),
      );
    }
    return { status: last.status, headers: last.headers, body: await jsonOf(last, request) };
  } catch (error) {
    throw await connectionError(error, request, trust);
  }
}

/** Returns the details of every error about a request. */
export function detailsOf({ location, path }: VaultRequest, status: number): Readonly<Record<string, unknown>> {
  return { address: location.address.href, path, status };
}

async function send(
  { location, method, token, body, caFile }: VaultRequest,
  url: URL,
  trust: TrustedConnections,
  signal: AbortSignal,
): Promise<Response> {
  const connections = await trust.connections(url.protocol === 'https:' ? caFile : undefined);
  const headers = {
    accept: 'application/json',
    // A Vault agent may require it, as protection against requests forged by a browser.
    'x-vault-request': 'true',
    ...(token === undefined ? {} : { 'x-vault-token': token }),
    ...(location.namespace === undefined ? {} : { 'x-vault-namespace': location.namespace }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const init = { method, headers, body: body === undefined ? null : JSON.stringify(body), redirect: 'manual' as const, signal };
  return connections.fetch(url, init);
}

/**
 * Returns the target of a redirect; undefined for any other answer. Throws for a redirect that would carry the token to
 * another origin.
 */
async function redirectOf(request: VaultRequest, from: URL, response: Response): Promise<URL | undefined> {
  const { method } = request;
  const isRepeated = [307, 308].includes(response.status) || (method === 'GET' && [301, 302, 303].includes(response.status));
  const redirect = response.headers.get('location');
  if (!isRepeated || redirect === null || parseUrl(redirect, from.href) === undefined) return undefined;
  await response.body?.cancel();
  const target = toUrl(redirect, from);
  if (target.origin === from.origin) return target;
  throw refusal(
    `${request.location.label} redirects to ${excerpt(target.origin, 100)}: expected the same server, because the token is sent to no other. Set VAULT_ADDR to the server that answers, or let the standby forward requests.`,
    detailsOf(request, response.status),
  );
}

async function jsonOf(response: Response, request: VaultRequest): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw refusal(
        `${request.location.label} answered with more than 1 MiB: expected an answer of Vault. Check VAULT_ADDR, or split the secret.`,
        detailsOf(request, response.status),
      );
    }
    chunks.push(chunk);
  }
  try {
    return readJson(strictUtf8(Buffer.concat(chunks)) ?? '');
  } catch {
    // The error of JSON.parse quotes the text, which may hold secrets.
    return undefined;
  }
}

async function connectionError(error: unknown, { location, path }: VaultRequest, trust: TrustedConnections): Promise<ToolkitError> {
  if (ToolkitError.is(error)) return error;
  // fetch wraps the failure in a TypeError.
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '');
  const details = { address: location.address.href, path };
  if (tlsCodePattern.test(code)) {
    await trust.reset();
    return refusal(`${location.label} cannot be trusted: ${excerpt(code)}. ${tlsAdvice(code)}.`, details, error);
  }
  const causeText = [...new Set([code, messageOf(cause)])].filter((part) => part !== '').join(': ');
  // The error of the parser contains the raw answer.
  const reportedCause = (cause as { name?: unknown } | undefined)?.name === 'HTTPParserError' ? undefined : error;
  return outage(`${location.label} gave no whole answer: ${excerpt(causeText)}. Check VAULT_ADDR and the network.`, details, reportedCause);
}

function tlsAdvice(code: string): string {
  if (code.startsWith('ERR_SSL_')) return 'The port does not speak TLS as expected: check the scheme and the port of VAULT_ADDR';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Its certificate is for another name: use that name in VAULT_ADDR';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return 'Renew its certificate, and check the clock of this machine';
  return 'Set VAULT_CACERT, or the option caCert, to the PEM file of the authority that issued its certificate';
}
