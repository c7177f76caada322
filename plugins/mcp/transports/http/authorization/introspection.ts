import type PQueue from 'p-queue';
import { type JsonObject, ToolkitError } from '../../../../../kernel/index.ts';
import { FairCache } from '../../../../shared/fairness/fair-cache.ts';
import type { PluginConnections } from '../../../../shared/http/plugin-connections.ts';
import { basicCredentials } from '../../../../shared/oauth/client-auth.ts';
import { fetchJson } from './fetch-json.ts';
import type { Grant } from './grant.ts';
import type { IssuerMetadata } from './issuer-metadata.ts';
import { endpointUrl } from './issuer-url.ts';
import type { IssuerOptions } from './options.ts';
import { defaultClockSkewS, grantFrom, invalidToken } from './token-claims.ts';

/** Maximum number of running requests to the issuer, and of waiting ones. */
const maxParallel = 8;
const maxWaiting = 64;

/** Limit of introspections of invalid tokens: a burst, then a rate per second. Strangers cannot make this server flood the issuer. */
const maxBurst = 100;
const perSecond = 20;

/** Maximum number of cached invalid tokens, and their cache time in milliseconds. */
const maxCachedInvalid = 1000;
const unknownMs = 30_000;

/** Time without requests after a failed connection, in milliseconds. */
const cooldownMs = 5000;

const unknown = 'The token is not known to its issuer, has expired or was revoked.';

export interface IntrospectionSettings extends Pick<IssuerOptions, 'issuer' | 'clockSkewS'> {
  readonly url?: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Checks tokens by asking the issuer (RFC 7662). */
export class Introspection {
  readonly #settings: IntrospectionSettings;
  readonly #metadata: IssuerMetadata;
  readonly #connections: PluginConnections;
  readonly #invalidTokens = new FairCache<true>({ maxEntries: maxCachedInvalid });
  #queue: Promise<PQueue> | undefined;
  #asked = 0;
  #budget = maxBurst;
  #countedAt = Date.now();
  #failure: { readonly until: number; readonly error: ToolkitError } | undefined;

  constructor(settings: IntrospectionSettings, metadata: IssuerMetadata, connections: PluginConnections) {
    this.#settings = settings;
    this.#metadata = metadata;
    this.#connections = connections;
  }

  /** Checks a token. `key`: its cache key. Throws AUTH_FAILED for an invalid token, UPSTREAM_UNAVAILABLE or RATE_LIMITED when it cannot be checked. */
  async check(token: string, key: string, audience: string): Promise<Grant> {
    if (this.#invalidTokens.get(key) === true) throw invalidToken(unknown);
    this.#take();
    try {
      const queue = await this.#line();
      const answer = (await queue.add(() => this.#ask(token))) as JsonObject;
      if (answer['active'] !== true) {
        this.#invalidTokens.set('', key, true, { ttlMs: unknownMs });
        throw invalidToken(unknown);
      }
      this.#budget++;
      return this.#grantOf(answer, audience);
    } finally {
      this.#asked--;
    }
  }

  #take(): void {
    const now = Date.now();
    this.#budget = Math.min(maxBurst, this.#budget + (Math.max(0, now - this.#countedAt) * perSecond) / 1000);
    this.#countedAt = now;
    if (this.#asked >= maxParallel + maxWaiting || this.#budget < 1)
      throw new ToolkitError('RATE_LIMITED', 'Too many tokens that were not seen before have come at once.', { retryAfterMs: 1000 });
    this.#budget--;
    this.#asked++;
  }

  #line(): Promise<PQueue> {
    this.#queue ??= import('p-queue').then(({ default: Queue }) => new Queue({ concurrency: maxParallel }));
    return this.#queue;
  }

  async #ask(token: string): Promise<JsonObject> {
    if (this.#failure !== undefined && Date.now() < this.#failure.until) throw this.#failure.error;
    try {
      return await this.#send(token);
    } catch (error) {
      // A failure with an HTTP status may concern this token only; a failed connection concerns them all.
      if (ToolkitError.is(error) && error.details.status === undefined) this.#failure = { until: Date.now() + cooldownMs, error };
      throw error;
    }
  }

  async #send(token: string): Promise<JsonObject> {
    const { issuer, url, clientId, clientSecret } = this.#settings;
    const endpoint = url ?? endpointUrl(issuer, 'introspection_endpoint', (await this.#metadata.get())['introspection_endpoint']);
    const request = {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: basicCredentials(clientId, clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
    };
    return fetchJson(endpoint, request, this.#connections);
  }

  #grantOf(answer: JsonObject, audience: string): Grant {
    const { issuer, clockSkewS = defaultClockSkewS } = this.#settings;
    const { iss, aud, token_type: type } = answer;
    if (iss !== undefined && iss !== issuer) throw invalidToken('The token is of another issuer.');
    if (![aud].flat().includes(audience)) throw invalidToken('The token was issued for another resource.');
    if (type !== undefined && !/^bearer$/i.test(String(type))) throw invalidToken('The token is no bearer token.');
    return grantFrom(answer, { issuer, clockSkewS });
  }
}
