import type { VNode } from 'preact';
import type { DifferenceLine } from '../formats/difference-line.ts';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';

const signs = { same: ' ', added: '+', removed: '−' } as const;
const words = { same: '', added: 'added: ', removed: 'removed: ' } as const;

/** The difference of two texts, line by line. */
export function Difference({ label, lines }: { readonly label: string; readonly lines: readonly DifferenceLine[] }): VNode {
  return html`<div class="difference" tabindex="0" role="region" aria-label=${label}>
    ${lines.map(
      ({ kind, text }) => html`<div class=${`line ${kind}`}><span class="sign" aria-hidden="true">${signs[kind]}</span
        ><span class="hidden-text">${words[kind]}</span><span class="text">${shownLine(text)}</span></div>`,
    )}
  </div>`;
}
