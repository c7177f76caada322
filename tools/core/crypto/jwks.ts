import type { CryptoKey, JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { excerpt, messageOf, parseUrl, readJson, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { strictUtf8 } from '../../../plugins/shared/text/utf8.ts';
import { connectionError, statusError } from '../web/fetch-error.ts';
import { readBytes } from '../web/read-bytes.ts';

/** Maximum size of a key set, in bytes. Those of identity providers have a few kilobytes. */
const maxBytes = 256 * 1024;

/**
 * Fetches a JSON Web Key Set (RFC 7517, 5) through the outbound guard, without caching it. Throws INVALID_PARAMETERS for the address,
 * EXECUTION_FAILED for a response that is no key set, and the errors of a request.
 */
export async function fetchKeySet(address: string, context: FunctionContext): Promise<JWTVerifyGetKey<CryptoKey>> {
  const { createLocalJWKSet } = await import('jose');
  const url = checkAddress(address);
  const text = await fetchText(url, context);
  try {
    return createLocalJWKSet(readJson(text) as JSONWebKeySet);
  } catch {
    throw noKeySet(url, 'expected JSON with a list "keys" of objects (RFC 7517)');
  }
}

/** Refuses unencrypted connections, except to this machine: anyone on the network could replace the keys. */
function checkAddress(address: string): URL {
  const url = parseUrl(address);
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url === undefined || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    throw badAddress(`expected an absolute https address, received "${excerpt(address)}"`);
  if (url.username !== '' || url.password !== '') throw badAddress('expected an address without a user name and a password');
  return url;
}

async function fetchText(url: URL, context: FunctionContext): Promise<string> {
  try {
    const response = await context.fetch(url, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      signal: context.signal,
    });
    if (response.status !== 200) await response.body?.cancel();
    if (response.status >= 400) throw statusError(response.status, url.href, response.headers);
    if (response.status !== 200) throw noKeySet(url, redirected(response));
    const { bytes, truncated } = await readBytes(response.body, maxBytes);
    if (truncated) throw noKeySet(url, `expected at most ${maxBytes} bytes, received more`);
    const text = strictUtf8(bytes);
    if (text === undefined) throw noKeySet(url, 'expected JSON in UTF-8, received bytes that are not');
    return text;
  } catch (error) {
    context.signal.throwIfAborted();
    throw ToolkitError.is(error) ? error : connectionError(url.host, error);
  }
}

function redirected({ status, headers }: Response): string {
  const location = headers.get('location');
  if (location === null) return `expected status 200, received ${status}`;
  return `it redirects (${status}) to "${excerpt(location)}", which is not followed. Give that address if you trust it`;
}

/** Builds the error for a key that matches the token but cannot be used. */
export function unusableKey(error: unknown): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    `The key for this token cannot be used: ${excerpt(messageOf(error)).replace(/\.$/, '')}. The publisher of the key set must replace it.`,
  );
}

function noKeySet(url: URL, message: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `${excerpt(url.href)} gave no key set: ${message}.`, { url: excerpt(url.href) });
}

function badAddress(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "jwks_url": ${message}.`, { issues: [{ path: 'jwks_url', message }] });
}
