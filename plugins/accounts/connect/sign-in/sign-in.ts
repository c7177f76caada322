import type { CallerIssuer, HttpRouteAccess, Logger } from '../../../../kernel/index.ts';
import type { OAuthServices } from '../../../shared/oauth/endpoint.ts';
import { beginSignIn, finishSignIn, type SignInClient, type SignInRequest } from '../../../shared/oauth/sign-in.ts';
import type { SignInOptions } from '../../options.ts';

export interface SignInServices {
  /** @default none: nobody signs in */
  readonly options?: SignInOptions | undefined;
  readonly access: Pick<HttpRouteAccess, 'issuers'>;
  readonly oauth: OAuthServices;
  /** Returns the client's secret. Throws when the resolver chain lacks it. */
  readonly secretOf: (secret: SignInOptions['clientSecret']) => Promise<string | undefined>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Sign-ins of the persons of links at the issuer by which the server names its callers. */
export class SignIn {
  readonly #services: SignInServices;
  #isWarned = false;

  constructor(services: SignInServices) {
    this.#services = services;
  }

  /** Returns the issuer at which the person of a caller signs in; undefined for a caller of another kind, and without a client there. */
  issuerOf(caller: string): CallerIssuer | undefined {
    const { options, access } = this.#services;
    if (options === undefined) return undefined;
    const issuers = access.issuers();
    const named =
      options.issuer === undefined && issuers.length === 1 ? issuers[0] : issuers.find(({ issuer }) => issuer === options.issuer);
    if (named === undefined) this.#warn(issuers);
    return named?.mayBe(caller) === true ? named : undefined;
  }

  /** Begins the sign-in with the given `state`. */
  async begin({ issuer }: CallerIssuer, request: { readonly redirectUri: string; readonly state: string }): Promise<SignInRequest> {
    return beginSignIn(await this.#clientAt(issuer), this.#services.oauth, request);
  }

  /** Checks the redirect, and returns the caller that its person is. */
  async finish(issuer: CallerIssuer, request: SignInRequest, redirect: URLSearchParams): Promise<string> {
    const { subject } = await finishSignIn(await this.#clientAt(issuer.issuer), this.#services.oauth, request, redirect);
    return issuer.callerOf(subject);
  }

  async #clientAt(issuer: string): Promise<SignInClient> {
    const { clientId = '', clientSecret, scopes = [] } = this.#services.options ?? {};
    return { issuer, clientId, clientSecret: await this.#services.secretOf(clientSecret), scopes };
  }

  #warn(issuers: readonly CallerIssuer[]): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    const { issuer } = this.#services.options ?? {};
    const found = issuers.length === 0 ? 'none' : issuers.map((one) => one.issuer).join(', ');
    const problem =
      issuer === undefined
        ? 'names no "issuer", and the server has not exactly one'
        : `names the issuer ${issuer}, which the server does not have`;
    this.#services.logger.warn(
      `"signIn" of accounts ${problem}: callers type a code instead. The issuers of the server are: ${found}. Correct "signIn.issuer", or add the issuer to "issuers".`,
    );
  }
}
