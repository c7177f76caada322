import type { errors, JWTVerifyGetKey } from 'jose';
import { type JsonObject, ToolkitError, toUrl } from '../../../../../kernel/index.ts';
import type { IssuerDocuments } from './fetch-json.ts';
import type { Grant } from './grant.ts';
import type { IssuerMetadata } from './issuer-metadata.ts';
import { endpointUrl } from './issuer-url.ts';
import { type IssuerOptions, signatureAlgorithms } from './options.ts';
import { defaultClockSkewS, grantFrom, invalidToken } from './token-claims.ts';

/** Cache time of an issuer's keys, and minimum time between two fetches for an unknown key, in milliseconds. */
const keyCacheTtlMs = 10 * 60_000;
const keysCooldownMs = 30_000;

/**
 * Checks the JWTs of one issuer (RFC 9068), only with the keys that the issuer publishes. Ignores keys and key URLs in a token
 * (`jwk`, `jku`, `x5u`, `x5c`).
 */
export class JwtTokens {
  readonly #options: IssuerOptions;
  readonly #metadata: IssuerMetadata;
  readonly #documents: IssuerDocuments;
  #keys: { readonly url: string; readonly get: JWTVerifyGetKey } | undefined;

  constructor(options: IssuerOptions, metadata: IssuerMetadata, documents: IssuerDocuments) {
    this.#options = options;
    this.#metadata = metadata;
    this.#documents = documents;
  }

  /** Checks a token. Throws AUTH_FAILED for an invalid token, and UPSTREAM_UNAVAILABLE for a failing issuer. */
  async check(token: string, audience: string): Promise<Grant> {
    const { issuer, algorithms = [...signatureAlgorithms], tokenType = 'at+jwt', clockSkewS = defaultClockSkewS } = this.#options;
    const { jwtVerify, errors: failures } = await import('jose');
    const key: JWTVerifyGetKey = async (header, given) => {
      try {
        return await (await this.#keysOf())(header, given);
      } catch (error) {
        if (error instanceof failures.JWKSNoMatchingKey || error instanceof failures.JWKSMultipleMatchingKeys) throw error;
        throw ToolkitError.is(error) ? error : unusableKeys(issuer, error);
      }
    };
    try {
      const rules = { issuer, audience, algorithms, clockTolerance: clockSkewS, requiredClaims: ['exp'] };
      const { payload, protectedHeader } = await jwtVerify(token, key, tokenType === 'JWT' ? rules : { ...rules, typ: 'at+jwt' });
      if (tokenType === 'JWT' && !/^((application\/)?(at\+)?jwt)?$/i.test(protectedHeader.typ ?? '')) throw unexpectedType();
      return grantFrom(payload, { issuer, clockSkewS });
    } catch (error) {
      if (error instanceof failures.JOSEError) throw invalidToken(problemOf(error), error);
      throw error;
    }
  }

  async #keysOf(): Promise<JWTVerifyGetKey> {
    const { issuer, jwksUri } = this.#options;
    const url = jwksUri ?? endpointUrl(issuer, 'jwks_uri', (await this.#metadata.get())['jwks_uri']);
    if (this.#keys?.url !== url) this.#keys = { url, get: await remoteKeys(url, this.#documents) };
    return this.#keys.get;
  }
}

async function remoteKeys(url: string, documents: IssuerDocuments): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose');
  const load = async (): Promise<Response> => Response.json((await documents.get(url)) satisfies JsonObject);
  return createRemoteJWKSet(toUrl(url), { cacheMaxAge: keyCacheTtlMs, cooldownDuration: keysCooldownMs, [customFetch]: load });
}

function unusableKeys(issuer: string, cause: unknown): ToolkitError {
  const message = `The keys of the issuer ${issuer} cannot be used: expected a JSON Web Key Set (RFC 7517) at its "jwks_uri".`;
  return new ToolkitError('UPSTREAM_UNAVAILABLE', message, {}, { cause });
}

function unexpectedType(): ToolkitError {
  return invalidToken('The token is no access token: its "typ" is another.');
}

const byClaim: Readonly<Record<string, string>> = {
  aud: 'The token was issued for another resource.',
  iss: 'The token is of another issuer.',
  nbf: 'The token is not valid yet.',
  exp: 'The token does not say when it expires.',
  typ: 'The token is no access token: its "typ" is not at+jwt.',
};

const byCode: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired.',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed in a way that is not accepted here.',
  ERR_JWKS_NO_MATCHING_KEY: 'The token is signed with a key that its issuer does not publish.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is wrong.',
};

function problemOf(error: errors.JOSEError): string {
  const claim = 'claim' in error && error.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED' ? byClaim[String(error.claim)] : undefined;
  return claim ?? byCode[error.code] ?? 'The token is malformed.';
}
