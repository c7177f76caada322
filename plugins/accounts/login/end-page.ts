import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { html } from '../../shared/text/html.ts';
import { page } from '../pages/page.ts';

/** Returns a page with a title and one sentence. Its address, which may hold a code, is passed on to nothing. */
export function endPage(status: number, title: string, text: string): HttpRouteResponse {
  return page(status, title, html`<p>${text}</p>`, { 'referrer-policy': 'no-referrer' });
}
