import { excerpt, type HttpRouteRequest, type HttpRouteResponse, messageOf } from '../../../kernel/index.ts';
import { randomValue } from '../../shared/keys/random-value.ts';
import type { OAuthServices } from '../../shared/oauth/endpoint.ts';
import { beginSignIn, finishSignIn, type SignedInPerson, type SignInClient } from '../../shared/oauth/sign-in.ts';
import { safeHeaders } from '../headers.ts';
import type { OpenidOptions } from '../options.ts';
import { paths } from '../paths.ts';
import { cookieValues, setCookie } from './cookies.ts';
import { isOwnOrigin } from './csrf.ts';
import { isRandomValue, sha256 } from './digest.ts';
import type { LoginParts, LoginWay } from './login-way.ts';
import { flowTtlMs, type OpenidFlows } from './openid-flows.ts';
import { isOperator } from './operators.ts';

export interface OpenidLoginOptions extends LoginParts {
  readonly options: OpenidOptions;
  readonly flows: OpenidFlows;
  readonly oauth: OAuthServices;
  /** Returns the client's secret. Throws when the resolver chain lacks it. */
  readonly clientSecret: () => Promise<string | undefined>;
  readonly baseUrl: () => string;
}

/** The login at an OpenID provider, by code and PKCE. The name is the subject; only operators get in. */
export class OpenidLogin implements LoginWay {
  readonly #options: OpenidLoginOptions;

  constructor(options: OpenidLoginOptions) {
    this.#options = options;
  }

  async answer(request: HttpRouteRequest): Promise<HttpRouteResponse | undefined> {
    if (request.method !== 'GET') return undefined;
    if (request.path === paths.login) return this.#page(200);
    return request.path === paths.openid ? this.#begin(request) : this.#finish(request);
  }

  async #begin(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const { flows, attempts, oauth, baseUrl } = this.#options;
    const { address, signal } = request;
    // A page of another site could use up the logins of a minute. A person who follows a link of one begins with the button.
    if (!isOwnOrigin(request)) return this.#page(200);
    const waitMs = await attempts.count(address);
    if (waitMs !== undefined) return this.#page(429, 'Too many logins were begun. Try again in a minute.');
    const state = randomValue();
    try {
      const redirectUri = `${baseUrl()}${paths.callback}`;
      const begun = await beginSignIn(await this.#client(), oauth, { redirectUri, state, signal });
      const value = randomValue();
      await flows.keep(state, value, begun);
      // `Lax`: the browser sends it with the provider's redirect too.
      const cookie = setCookie(baseUrl(), { name: flowCookie(state), value, maxAgeS: flowTtlMs / 1000, sameSite: 'Lax' });
      return { status: 303, headers: { ...safeHeaders, location: begun.url, ...cookie } };
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #finish(request: HttpRouteRequest): Promise<HttpRouteResponse> {
    const { flows, oauth, baseUrl } = this.#options;
    const state = request.query.get('state') ?? '';
    const browser = isRandomValue(state) ? cookieValues(request, baseUrl(), flowCookie(state)).find(isRandomValue) : undefined;
    const begun = browser === undefined ? undefined : await flows.take(state, browser);
    if (begun === undefined)
      return this.#page(
        403,
        'This login was not begun in this browser, has ended, or was begun more than ten minutes ago. Log in once more.',
      );
    try {
      const person = await finishSignIn(await this.#client(), oauth, begun, request.query, request.signal);
      return await this.#letIn(request, person);
    } catch (error) {
      return this.#failed(error);
    }
  }

  async #letIn(request: HttpRouteRequest, { subject, claims }: SignedInPerson): Promise<HttpRouteResponse> {
    const { options, cookie, pages, kernel, logger } = this.#options;
    const { address } = request;
    const name = excerpt(subject);
    if (!isOperator(claims, options.operators)) {
      logger.warn('console: a person who is not in "openid.operators" was refused', { name, address });
      kernel().reportRefusal({ reason: 'token', status: 403, address, count: 1 });
      return this.#page(
        403,
        'You have signed in, and are not an operator of this server. Whoever runs it can add you to "openid.operators".',
      );
    }
    logger.info('console: logged in at the OpenID provider', { name, address });
    return pages.goOn(await cookie.begin(request, subject));
  }

  #failed(error: unknown): HttpRouteResponse {
    this.#options.logger.warn(`console: a login at the OpenID provider failed: ${excerpt(messageOf(error))}`);
    return this.#page(403, 'The login at the OpenID provider failed. Try again; the log of this server has the reason.');
  }

  #page(status: number, problem?: string): HttpRouteResponse {
    const { pages, options } = this.#options;
    return pages.ofOpenid({ status, ...(problem === undefined ? {} : { problem }) }, options.issuer);
  }

  async #client(): Promise<SignInClient> {
    const { options, clientSecret } = this.#options;
    const { issuer, clientId, scopes = [] } = options;
    return { issuer, clientId, clientSecret: await clientSecret(), scopes };
  }
}

/** Returns the name of the cookie of one login: several tabs do not disturb each other. */
function flowCookie(state: string): string {
  return `toolkit-console-login-${sha256(state).slice(0, 16)}`;
}
