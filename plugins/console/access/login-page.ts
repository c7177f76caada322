import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { type Html, html } from '../../shared/text/html.ts';
import type { Assets } from '../assets.ts';
import { documentOf } from '../document.ts';
import { paths } from '../paths.ts';

export interface LoginPage {
  readonly status: number;
  /** The reason why the person did not get in. @default none */
  readonly problem?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the pages on which people log in. They work without script, which only gives them the chosen colours. */
export class LoginPages {
  readonly #assets: Assets | undefined;

  constructor(assets: Assets | undefined) {
    this.#assets = assets;
  }

  /** Returns the page that takes a one-time code. */
  ofCode(page: LoginPage): HttpRouteResponse {
    const isWrong = page.problem !== undefined;
    const form = html`<form method="post" action="${paths.login}">
<div class="field">
<label for="code">One-time code</label>
<input id="code" class="mono" name="code" type="text" required autofocus autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="100" aria-describedby="hint${isWrong ? ' problem' : ''}"${isWrong ? html` aria-invalid="true"` : html``}>
<p id="hint" class="hint">The server printed one when it started. To get another, type <code>toolkit console login</code> where it runs.</p>
</div>
<button class="button primary" type="submit">Log in</button>
</form>`;
    return this.#page(page, form);
  }

  /** Returns the page that leads to the OpenID provider. */
  ofOpenid(page: LoginPage, issuer: string): HttpRouteResponse {
    return this.#page(page, html`<p><a class="button primary" href="${paths.openid}">Log in with ${issuer}</a></p>`);
  }

  /** Returns a page that goes on to the console. Not a redirect: in a chain that another site began, no browser sends a strict cookie. */
  goOn(headers: Readonly<Record<string, string>>): HttpRouteResponse {
    return documentOf({
      status: 200,
      title: 'Logged in',
      assets: this.#assets,
      className: 'login',
      head: html`<meta http-equiv="refresh" content="0; url=${paths.shell}">`,
      body: html`<main class="card"><h1>toolkit console</h1><p>You are logged in. <a href="${paths.shell}">Go on to the console</a></p></main>`,
      headers,
    });
  }

  #page({ status, problem, headers = {} }: LoginPage, form: Html): HttpRouteResponse {
    const note = problem === undefined ? html`` : html`<p id="problem" class="callout danger" role="alert">${problem}</p>`;
    return documentOf({
      status,
      title: problem === undefined ? 'Log in' : 'Not logged in',
      assets: this.#assets,
      className: 'login',
      body: html`<main class="card"><h1>toolkit console</h1>
${note}
${form}</main>`,
      headers,
    });
  }
}
