import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { type Children, html } from '../html.ts';

/** A part of a page with its h2. `lead`: one sentence below it. */
export function Section({
  title,
  lead,
  children,
}: {
  readonly title: Children;
  readonly lead?: Children;
  readonly children: Children;
}): VNode {
  const id = useId();
  return html`<section class="section" aria-labelledby=${id}>
    <div><h2 id=${id}>${title}</h2>${lead !== undefined && html`<p class="lead">${lead}</p>`}</div>
    ${children}
  </section>`;
}
