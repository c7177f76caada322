import { codeName } from '../../../plugins/console/access/code-login.ts';
import { type Answer, ask, cookieOf, sendCode } from '../../plugins/console/console-site.ts';
import type { Server } from '../approvals/server.ts';
import type { Site } from '../approvals/site.ts';

/** A person who is logged in to the console of one server, as requests without a browser. */
export class ConsoleSession {
  /** The name by which it decides. */
  readonly name = codeName;
  readonly #at: { readonly port: number; readonly origin: string };
  readonly #cookie: string;
  readonly #csrf: string;

  private constructor(at: { readonly port: number; readonly origin: string }, cookie: string, csrf: string) {
    this.#at = at;
    this.#cookie = cookie;
    this.#csrf = csrf;
  }

  /** Logs in with a code of its own. */
  static async open(site: Site, { port }: Pick<Server, 'port'>): Promise<ConsoleSession> {
    const at = { port, origin: `http://127.0.0.1:${port}` };
    const answer = await sendCode(at, await site.consoleCode());
    const cookie = cookieOf(answer);
    if (answer.status !== 303 || cookie === '') throw new Error(`the login was answered with ${answer.status}: ${answer.body}`);
    const { body } = await ask(at, '/console/api/overview', { headers: { cookie } });
    // No number: only the token is used.
    const { csrf } = JSON.parse(body) as { readonly csrf: string };
    return new ConsoleSession(at, cookie, csrf);
  }

  get(path: string): Promise<Answer> {
    return ask(this.#at, `/console/api/${path}`, { headers: { cookie: this.#cookie } });
  }

  post(path: string, body: object): Promise<Answer> {
    const headers = {
      cookie: this.#cookie,
      origin: this.#at.origin,
      'content-type': 'application/json',
      'x-toolkit-csrf': this.#csrf,
    };
    return ask(this.#at, `/console/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}
