import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { html } from '../../shared/text/html.ts';
import type { Assets } from '../assets.ts';
import { documentOf } from '../document.ts';
import { paths } from '../paths.ts';

/**
 * Returns the one response to every request of a person who is not signed in: it shows nobody which paths exist. The page goes on to the login by
 * itself.
 */
export function strangersResponse(assets: Assets | undefined): HttpRouteResponse {
  return documentOf({
    status: 401,
    title: 'Log in',
    assets,
    className: 'login',
    head: html`<meta http-equiv="refresh" content="0; url=${paths.login}">`,
    body: html`<main class="card"><h1>toolkit console</h1><p>You are not logged in. <a href="${paths.login}">Log in</a></p></main>`,
    // A scheme of its own: browsers ask for a password by those that they know (RFC 9110, 11.6.1).
    headers: { 'www-authenticate': 'Cookie realm="console"' },
  });
}
