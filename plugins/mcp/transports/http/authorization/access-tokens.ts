import { hash } from 'node:crypto';
import { isPlainObject } from '../../../../../kernel/index.ts';
import { FairCache } from '../../../../shared/fairness/fair-cache.ts';
import { PluginConnections } from '../../../../shared/http/plugin-connections.ts';
import { strictUtf8 } from '../../../../shared/text/utf8.ts';
import { IssuerDocuments } from './fetch-json.ts';
import type { Grant } from './grant.ts';
import { Introspection } from './introspection.ts';
import { IssuerMetadata } from './issuer-metadata.ts';
import { JwtTokens } from './jwt-tokens.ts';
import type { IssuerOptions } from './options.ts';
import { invalidToken } from './token-claims.ts';

/** Maximum length of a token in characters. All headers of a request together may have 16 KiB. */
const maxTokenLength = 8192;

/** Cache time of a checked token in milliseconds, and maximum number of cached tokens. A revoked token stays valid for that time. */
const cacheTtlMs = 30_000;
const maxCachedTokens = 10_000;

/** An issuer with its resolved secret. */
export interface TrustedIssuer extends IssuerOptions {
  readonly clientSecret?: string;
}

interface Checks {
  readonly audience: string | undefined;
  readonly jwt: JwtTokens;
  readonly introspection?: Introspection;
}

/** Checks access tokens and returns their grants. */
export class AccessTokens {
  readonly #byIssuer: ReadonlyMap<string, Checks>;
  readonly #cache = new FairCache<Grant>({ maxEntries: maxCachedTokens });
  readonly #pending = new Map<string, Promise<Grant>>();

  constructor(issuers: readonly TrustedIssuer[]) {
    this.#byIssuer = new Map(issuers.map((options) => [options.issuer, checksOf(options)]));
  }

  /** Throws AUTH_FAILED for an invalid token; UPSTREAM_UNAVAILABLE or RATE_LIMITED when the token cannot be checked now. */
  async check(token: string, resource: string): Promise<Grant> {
    if (token.length > maxTokenLength) throw invalidToken(`The token has more than ${maxTokenLength} characters.`);
    const key = hash('sha256', token, 'base64');
    const kept = this.#cache.get(key);
    if (kept !== undefined && Date.now() < kept.expiresAt) return kept;
    const pending = this.#pending.get(key) ?? this.#begin(token, key, resource);
    return pending;
  }

  #begin(token: string, key: string, resource: string): Promise<Grant> {
    const checked = this.#checked(token, key, resource)
      .then((grant) => {
        this.#cache.set(grant.caller, key, grant, { ttlMs: Math.min(cacheTtlMs, grant.expiresAt - Date.now()) });
        return grant;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, checked);
    return checked;
  }

  async #checked(token: string, key: string, resource: string): Promise<Grant> {
    const claims = claimsOf(token);
    if (claims !== undefined) {
      const checks = this.#byIssuer.get(String(claims['iss']));
      if (checks === undefined) throw invalidToken('The token is of no issuer that this server trusts.');
      return checks.jwt.check(token, checks.audience ?? resource);
    }
    // At most one issuer has introspection: a token is sent only to its own issuer.
    for (const { introspection, audience } of this.#byIssuer.values())
      if (introspection !== undefined) return introspection.check(token, key, audience ?? resource);
    throw invalidToken('The token is of no issuer that this server trusts.');
  }
}

function checksOf(options: TrustedIssuer): Checks {
  const { issuer, audience, clockSkewS, introspection, clientSecret } = options;
  const connections = new PluginConnections();
  const documents = new IssuerDocuments(connections);
  const metadata = new IssuerMetadata(issuer, documents);
  const jwt = new JwtTokens(options, metadata, documents);
  if (introspection === undefined || clientSecret === undefined) return { audience, jwt };
  const { url, clientId } = introspection;
  const settings = {
    issuer,
    clientId,
    clientSecret,
    ...(url === undefined ? {} : { url }),
    ...(clockSkewS === undefined ? {} : { clockSkewS }),
  };
  return { audience, jwt, introspection: new Introspection(settings, metadata, connections) };
}

/** Returns the unchecked claims of a JWT, to find its issuer; undefined for a text that is no JWT. */
function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const parts = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token);
  if (parts === null) return undefined;
  try {
    // No number: only issuer and audience are read.
    const claims: unknown = JSON.parse(strictUtf8(Buffer.from(parts[1] as string, 'base64url')) ?? '');
    return isPlainObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}
