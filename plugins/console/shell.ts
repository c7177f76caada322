import type { HttpRouteResponse } from '../../kernel/index.ts';
import { html } from '../shared/text/html.ts';
import type { Assets } from './assets.ts';
import { documentOf } from './document.ts';

/** Returns the page in which the script shows everything, or a page that says that it was not built. */
export function shellOf(assets: Assets | undefined): HttpRouteResponse {
  if (assets === undefined)
    return documentOf({
      status: 200,
      title: 'Console',
      assets,
      body: html`<main><h1>Console</h1><p>The page of the console is not built. Type <code>npm run build</code> in the sources, and start the server again.</p></main>`,
    });
  return documentOf({
    status: 200,
    title: 'Console',
    assets,
    body: html`<div id="app"></div><noscript><p>The console needs JavaScript. Approvals can be decided without it: <code>toolkit approvals list</code>.</p></noscript>`,
  });
}
