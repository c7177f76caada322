import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../../components/button.ts';
import { CodeBlock } from '../../components/code-block.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { sizeOf } from '../../formats/words.ts';
import { html } from '../../html.ts';

/** Number of parameters up to which each one has its own row. */
const maxRows = 40;
const maxLine = 100;

export interface ParametersProps {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Opens the editor. Absent where nothing can be changed. */
  readonly onChange?: (() => void) | undefined;
}

/** The parameters of a call, whole: one row each, texts with their line breaks, or all as JSON. */
export function Parameters({ parameters, onChange }: ParametersProps): VNode {
  const entries = Object.entries(parameters);
  const [isJson, setIsJson] = useState(entries.length > maxRows);
  const json = JSON.stringify(parameters, null, 2);
  return html`<section class="part"><div class="part-head"><h3>Parameters</h3>
      <span class="muted">${sizeOf(json)}</span><span class="spacer"></span>
      ${entries.length > 0 && html`<${Button} kind="quiet" pressed=${isJson} onClick=${() => setIsJson(!isJson)}>JSON<//>`}
      ${onChange !== undefined && html`<${Button} kind="quiet" onClick=${onChange}>Change …<//>`}</div>
    ${isJson ? html`<${CodeBlock} label="Parameters as JSON" text=${json} canCopy />` : html`<${Rows} entries=${entries} />`}
  </section>`;
}

function Rows({ entries }: { readonly entries: readonly (readonly [string, unknown])[] }): VNode {
  if (entries.length === 0) return html`<p class="muted">None.</p>`;
  return html`<dl class="parameters">${entries.map(([name, value]) => {
    const json = JSON.stringify(value, null, 2) ?? '';
    const isBlock = json.length > maxLine || json.includes('\n') || (typeof value === 'string' && value.includes('\n'));
    return html`<div key=${name} class=${isBlock ? 'block' : ''}><dt class="mono">${shownLine(name)}</dt>
      <dd>${
        isBlock
          ? html`<${CodeBlock} label=${`Parameter ${shownLine(name)}`} text=${typeof value === 'string' ? value : json} canCopy />`
          : html`<span class="mono">${shownLine(json)}</span>`
      }</dd></div>`;
  })}</dl>`;
}
