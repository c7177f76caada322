import type { VNode } from 'preact';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';

/** A sentence of the server, with the parts between backticks as code. */
export function Prose({ text }: { readonly text: string }): VNode {
  const parts = text.split('`');
  // A backtick without its other one is a character.
  const isWhole = parts.length % 2 === 1;
  return html`<span>${isWhole ? parts.map((part, index) => (index % 2 === 1 ? html`<code>${shownLine(part)}</code>` : shownLine(part))) : shownLine(text)}</span>`;
}
