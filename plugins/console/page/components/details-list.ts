import type { VNode } from 'preact';
import { type Children, html } from '../html.ts';

/** Names with their values, one pair a row. Pairs with an undefined value are left out. */
export function DetailsList({ items }: { readonly items: readonly (readonly [name: string, value: Children | undefined])[] }): VNode {
  return html`<dl class="details-list">${items.map(
    ([name, value]) => value !== undefined && html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}
