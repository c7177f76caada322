import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

export interface PageHeadProps {
  readonly title: Children;
  /** One sentence below the title. */
  readonly lead?: Children;
  /** Controls at the right. */
  readonly children?: Children;
}

/** The head of a page with its only h1, which gets the focus when the page is opened. */
export function PageHead({ title, lead, children }: PageHeadProps): VNode {
  return html`<div class="page-head"><div><h1 tabindex="-1">${title}</h1>${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>
    ${children !== undefined && html`<div class="page-actions">${children}</div>`}</div>`;
}
