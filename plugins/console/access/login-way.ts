import type { HttpRouteRequest, HttpRouteResponse, Kernel, Logger } from '../../../kernel/index.ts';
import type { Attempts } from './attempts.ts';
import type { LoginPages } from './login-page.ts';
import type { SessionCookie } from './session-cookie.ts';

/** The parts that every way to log in needs. */
export interface LoginParts {
  /** Counts logins by address: each wrong code, or each begun login at the provider, which asks it for its addresses and is stored. */
  readonly attempts: Attempts;
  readonly cookie: SessionCookie;
  readonly pages: LoginPages;
  readonly kernel: () => Pick<Kernel, 'reportRefusal'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** A way to log in: with a code, or at an OpenID provider. */
export interface LoginWay {
  /** Answers a request to a path of the login, of a person who is not signed in or logs in anew. Undefined for a path that this way does not have. */
  answer(request: HttpRouteRequest): Promise<HttpRouteResponse | undefined>;
}
