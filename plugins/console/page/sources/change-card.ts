import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownChange } from '../../wire/sources.ts';
import { Badge } from '../components/badge.ts';
import { Button } from '../components/button.ts';
import { Difference } from '../components/difference.ts';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';

export interface ChangeCardProps {
  readonly change: ShownChange;
  /** True when its difference is shown at first. */
  readonly isOpen: boolean;
  readonly onAccept: () => void;
}

/** A withheld change with its difference, which is drawn only while it is open. */
export function ChangeCard({ change, isOpen: isOpenAtFirst, onAccept }: ChangeCardProps): VNode {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { name, kind, change: how, differs, difference, findings } = change;
  const added = difference.filter((line) => line.kind === 'added').length;
  const removed = difference.filter((line) => line.kind === 'removed').length;
  return html`<div class="change">
    <div class="change-head"><p><span class="mono strong">${shownLine(name)}</span> <${Badge}>${how === 'new' ? `new ${kind}` : `changed ${kind}`}<//></p>
      <${Button} label=${`Accept ${shownLine(name)}`} onClick=${onAccept}>Accept …<//></div>
    ${differs.length > 0 && html`<p class="hint">Differs in <span class="mono">${shownLine(differs.join(', '))}</span></p>`}
    ${findings !== undefined && findings.length > 0 && html`<${Findings} findings=${findings} />`}
    <details class="disclosure" open=${isOpen} onToggle=${(event: { readonly currentTarget: HTMLDetailsElement }) => setIsOpen(event.currentTarget.open)}>
      <summary>${how === 'new' ? 'Definition' : 'Difference'} <span class="muted">(${added} added, ${removed} removed)</span></summary>
      ${isOpen && html`<${Difference} label=${`Difference of ${shownLine(name)}`} lines=${difference} />`}
    </details>
  </div>`;
}

/** The findings of the scanner in a change. */
export function Findings({ findings }: { readonly findings: readonly string[] }): VNode {
  return html`<div class="callout warn"><div><p><strong>Read this before you accept it</strong></p>
    <ul class="bullets">${findings.map((finding) => html`<li key=${finding}>${shownLine(finding)}</li>`)}</ul></div></div>`;
}
