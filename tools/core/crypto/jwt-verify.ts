import type { CryptoKey, errors, JWTPayload, JWTVerifyOptions } from 'jose';
import { type JsonObject, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { fetchKeySet, unusableKey } from './jwks.ts';
import { reasonOf } from './jwt-failure.ts';
import { readToken } from './jwt-token.ts';
import { namedSecret } from './named-secret.ts';

interface VerifyParameters {
  readonly token: string;
  readonly algorithms: readonly string[];
  readonly secret_name?: string;
  readonly jwks_url?: string;
  readonly issuer?: string;
  readonly audience?: string;
}

type VerifyResult =
  | { readonly valid: true; readonly payload: JsonObject; readonly error: null }
  | { readonly valid: false; readonly payload: null; readonly error: string };

/** Maximum difference between the clocks of issuer and verifier. */
const clockToleranceSeconds = 30;

/** Maximum number of keys to try for one token. Several match while a publisher rotates them. */
const maxKeys = 10;

/**
 * Checks signature, expiry, issuer and audience of a token. An invalid token is a result, not an error. Throws INVALID_PARAMETERS for a text
 * that is no token and for a key that cannot belong to the algorithms, and the errors of fetching a key set.
 */
export async function verifyToken(parameters: VerifyParameters, context: FunctionContext): Promise<VerifyResult> {
  const { algorithms, issuer, audience } = parameters;
  const source = keySource(parameters);
  const { token, payload } = await readToken(parameters.token);
  const check = await checkWith(source, token, context);
  try {
    await check({
      algorithms: [...algorithms],
      clockTolerance: clockToleranceSeconds,
      ...(issuer === undefined ? {} : { issuer }),
      ...(audience === undefined ? {} : { audience }),
    });
    return { valid: true, payload, error: null };
  } catch (error) {
    const reason = reasonOf(error, { algorithms, issuer, audience, clockToleranceSeconds });
    if (reason === undefined) throw unusableKey(error);
    return { valid: false, payload: null, error: reason };
  }
}

type KeySource = { readonly type: 'secret'; readonly name: string } | { readonly type: 'key set'; readonly url: string };

/**
 * Returns the source of keys. Each source has its own algorithms: if a public key were taken for a shared secret, anyone could sign (RFC 8725,
 * 2.1).
 */
function keySource({ algorithms, secret_name, jwks_url }: VerifyParameters): KeySource {
  if ((secret_name === undefined) === (jwks_url === undefined)) {
    const received = secret_name === undefined ? 'neither' : 'both';
    throw badParameter('secret_name', `expected exactly one of "secret_name" and "jwks_url", received ${received}`);
  }
  const isShared = (algorithm: string): boolean => algorithm.startsWith('HS');
  if (jwks_url !== undefined) {
    const wrong = algorithms.find(isShared);
    if (wrong === undefined) return { type: 'key set', url: jwks_url };
    throw badParameter(
      'algorithms',
      `${wrong} is signed with a shared secret, which no key set publishes. Give "secret_name", or leave it out`,
    );
  }
  const wrong = algorithms.find((algorithm) => !isShared(algorithm));
  if (wrong === undefined) return { type: 'secret', name: secret_name ?? '' };
  throw badParameter('algorithms', `${wrong} is checked with a public key, not with a shared secret. Give "jwks_url", or leave it out`);
}

type Check = (options: JWTVerifyOptions) => Promise<JWTPayload>;

async function checkWith(source: KeySource, token: string, context: FunctionContext): Promise<Check> {
  const { jwtVerify } = await import('jose');
  if (source.type === 'secret') {
    const secret = sharedSecret(source.name, context);
    return async (options) => (await jwtVerify(token, secret, options)).payload;
  }
  const keys = await fetchKeySet(source.url, context);
  return async (options) => {
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if ((error as { readonly code?: string }).code !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') throw error;
      return verifyWithAnyKey(error as errors.JWKSMultipleMatchingKeys, async (key) => (await jwtVerify(token, key, options)).payload);
    }
  };
}

async function verifyWithAnyKey(
  found: errors.JWKSMultipleMatchingKeys,
  verify: (key: CryptoKey) => Promise<JWTPayload>,
): Promise<JWTPayload> {
  let failure: unknown = found;
  let tried = 0;
  for await (const key of found) {
    try {
      return await verify(key);
    } catch (error) {
      failure = error;
      tried += 1;
      if (tried === maxKeys || (error as { readonly code?: string }).code !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') break;
    }
  }
  throw failure;
}

function sharedSecret(name: string, context: FunctionContext): Uint8Array {
  const value = namedSecret(name, context);
  if (!/^\s*-----BEGIN /.test(value)) return new TextEncoder().encode(value);
  throw badParameter('secret_name', 'names a PEM key, which is no shared secret: everybody may know a public key. Give "jwks_url"');
}

function badParameter(path: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.`, { issues: [{ path, message }] });
}
