import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

/** A page or list without content. `children`: what to do next, as sentences. */
export function Empty({ title, children }: { readonly title: string; readonly children?: Children }): VNode {
  return html`<div class="empty"><p class="empty-title">${title}</p>${children !== undefined && html`<div>${children}</div>`}</div>`;
}
