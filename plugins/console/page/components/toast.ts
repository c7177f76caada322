import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Button } from './button.ts';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'ok' | 'danger';
  /** Address of the thing that the text is about. @default none */
  readonly href?: string | undefined;
}

/** Short results, newest last. Screen readers get them from the live region of the shell, once. */
export function Toasts({ toasts, onClose }: { readonly toasts: readonly Toast[]; readonly onClose: (id: number) => void }): VNode {
  return html`<div class="toasts">${toasts.map(
    ({ id, text, tone, href }) => html`<div class=${`toast ${tone}`} key=${id}>
      <p>${text}${href !== undefined && html` <a href=${href} onClick=${() => onClose(id)}>Show it</a>`}</p>
      <${Button} kind="quiet" icon="close" label="Close this message" onClick=${() => onClose(id)} /></div>`,
  )}</div>`;
}
