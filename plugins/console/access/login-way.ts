import type { HttpRouteRequest, HttpRouteResponse } from '../../../kernel/index.ts';

/** A way to log in: with a code, or at an OpenID provider. */
export interface LoginWay {
  /** Answers a request to a path of the login, of a person who is not signed in or logs in anew. Undefined for a path that this way does not have. */
  answer(request: HttpRouteRequest): Promise<HttpRouteResponse | undefined>;
}
