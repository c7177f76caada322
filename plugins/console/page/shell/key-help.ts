import type { VNode } from 'preact';
import { Dialog } from '../components/dialog.ts';
import { html } from '../html.ts';
import { keyHelp } from '../keyboard.ts';

/** The keys of the inbox. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): VNode {
  return html`<${Dialog} title="Keys" onClose=${onClose}><table class="keys"><tbody>${keyHelp.map(
    ({ keys, text }) => html`<tr key=${text}><th scope="row">${keys.map((key) => html`<kbd>${key}</kbd> `)}</th><td>${text}</td></tr>`,
  )}</tbody></table><//>`;
}
