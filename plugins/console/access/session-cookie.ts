import type { HttpRouteRequest } from '../../../kernel/index.ts';
import { cookieValues, setCookie } from './cookies.ts';
import type { Session, Sessions } from './sessions.ts';

const name = 'toolkit-console';

export interface SessionCookieOptions {
  readonly sessions: Sessions;
  /** Returns the address of the console's server. */
  readonly baseUrl: () => string;
}

/** The cookie by which a browser shows its session. */
export class SessionCookie {
  readonly #options: SessionCookieOptions;

  constructor(options: SessionCookieOptions) {
    this.#options = options;
  }

  /** Returns the session of a request; undefined for a stranger. */
  sessionOf(request: HttpRouteRequest): Promise<Session | undefined> {
    const { sessions, baseUrl } = this.#options;
    return sessions.find(cookieValues(request, baseUrl(), name));
  }

  /** Begins a session with a new value, ends those that the browser had, and returns the header with the cookie. */
  async begin(request: HttpRouteRequest, person: string): Promise<Readonly<Record<string, string>>> {
    const { sessions, baseUrl } = this.#options;
    // All of them: another page of the host may have planted sessions of its own, which would come first in further requests.
    await sessions.endAll(cookieValues(request, baseUrl(), name));
    const value = await sessions.begin(person);
    return setCookie(baseUrl(), { name, value, maxAgeS: sessions.maxAgeS, sameSite: 'Strict' });
  }

  /** Ends a session, and returns the header that removes its cookie. */
  async end(session: Session): Promise<Readonly<Record<string, string>>> {
    const { sessions, baseUrl } = this.#options;
    await sessions.end(session);
    return setCookie(baseUrl(), { name, value: '', maxAgeS: 0, sameSite: 'Strict' });
  }
}
