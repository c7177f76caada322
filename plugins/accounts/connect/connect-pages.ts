import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { type Html, html } from '../../shared/text/html.ts';
import { page } from '../pages/page.ts';
import { confirmCommand, shownCode } from './confirmation-code.ts';
import type { PendingConnect } from './pending-connect.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns the page of a link: names what is connected to what, and asks. */
export function askPage(connect: PendingConnect, title: string, token: string, headers: Headers): HttpRouteResponse {
  const code = html`<p class="warning">At the end this page shows a code, and nothing is connected until the caller has typed it. Type it yourself. Give it to nobody: with it, others use your account.</p>`;
  const body = html`<p>The caller <strong>${connect.owner.caller}</strong> of this server asks for access to an account at <strong>${title}</strong>.</p>
${facts(connect, title)}
<p class="warning"><strong>Continue only if you asked for this yourself.</strong> If somebody sent you this link, close the page: they would use your account.</p>
${connect.needsCode ? code : ''}
<form method="post"><input type="hidden" name="token" value="${token}"><button>Continue to ${title}</button></form>`;
  return page(200, `Connect an account at ${title}`, body, headers);
}

/** Returns the page of a link whose person must sign in first. */
export function signInPage(connect: PendingConnect, title: string, issuer: string, token: string, headers: Headers): HttpRouteResponse {
  const body = html`<p>The caller <strong>${connect.owner.caller}</strong> of this server asks for access to an account at <strong>${title}</strong>. Only the person who is this caller can go on: sign in at <strong>${issuer}</strong> first.</p>
${facts(connect, title)}
<p class="warning"><strong>Continue only if you asked for this yourself.</strong> If somebody sent you this link, close the page: they would use your account.</p>
<form method="post"><input type="hidden" name="token" value="${token}"><button>Sign in</button></form>`;
  return page(200, `Sign in to connect an account at ${title}`, body, headers);
}

/** Returns the page that shows a code. */
export function codePage(connect: PendingConnect, title: string, code: string): HttpRouteResponse {
  const shown = shownCode(code);
  const command = confirmCommand(shown, connect.owner);
  const body = html`<p>You have logged in. The account is connected when the caller <strong>${connect.owner.caller}</strong> has typed this code, within ten minutes:</p>
<p class="code">${shown}</p>
<p>Type it where your program asks for it, or run this command on the machine of the server:</p>
<p><code>${command}</code></p>
<p class="warning"><strong>Type it yourself, and give it to nobody.</strong> If somebody asks you for this code, they want your account: close the page.</p>
${facts(connect, title)}`;
  return page(200, 'One step left: type the code', body);
}

/** Returns the page of a finished login. */
export function donePage(connect: PendingConnect, title: string, account: string | undefined, headers: Headers = {}): HttpRouteResponse {
  const name =
    account === undefined
      ? html`An account at <strong>${title}</strong>`
      : html`The account <strong>${account}</strong> at <strong>${title}</strong>`;
  const body = html`<p>${name} is connected to the caller <strong>${connect.owner.caller}</strong>. You can close this page.</p>
${facts(connect, title)}`;
  return page(200, 'Account connected', body, headers);
}

/** Returns the page of a refused request. */
export function refusedPage(status: number, title: string, message: string, headers: Headers = {}): HttpRouteResponse {
  return page(status, title, html`<p>${message}</p>`, headers);
}

/** Returns the page of a refused form, with a link to a new one. */
export function formPage(status: number, title: string, message: string): HttpRouteResponse {
  return page(
    status,
    title,
    html`<p>${message}</p>
<p><a href="">Open the link again</a></p>`,
  );
}

/** Returns the page for an unknown, expired or used link, which are not told apart. */
export function unknownPage(): HttpRouteResponse {
  return refusedPage(
    404,
    'This link is not valid',
    'It is unknown, has expired, or was used. Ask for a new one where you got it: call the tool again.',
  );
}

/** Returns the page of a redirect without a login. */
export function strayPage(): HttpRouteResponse {
  return refusedPage(
    400,
    'This answer belongs to no login',
    'The login is unknown, has expired, or was finished already. Nothing was connected by this page. If an account is missing, call the tool again.',
  );
}

/** Returns the page for another browser. */
export function elsewherePage(): HttpRouteResponse {
  return refusedPage(
    403,
    'This link was opened elsewhere',
    'It was opened in another browser, or this one keeps no cookies. Go on there. If that was not you, do nothing and ask for a new link.',
  );
}

/** Returns the page of a login that failed. */
export function failedPage(status: number, title: string, message: string, headers: Headers = {}): HttpRouteResponse {
  return refusedPage(
    status,
    'No account was connected',
    `The login at ${title} failed: ${message} Ask for a new link: call the tool again.`,
    headers,
  );
}

function facts({ owner, scopes, baseUrl }: PendingConnect, title: string): Html {
  const tenant = owner.tenant === owner.caller ? '' : html`<dt>Tenant</dt><dd>${owner.tenant}</dd>`;
  const access = scopes.length === 0 ? 'the default of the provider' : html`<ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>`;
  return html`<dl><dt>Server</dt><dd>${baseUrl}</dd>
<dt>Caller</dt><dd>${owner.caller}</dd>
${tenant}<dt>Provider</dt><dd>${title}</dd>
<dt>Account</dt><dd>${owner.account}</dd>
<dt>Access</dt><dd>${access}</dd></dl>`;
}
