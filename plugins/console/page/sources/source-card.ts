import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { SourceStatus } from '../../../../kernel/index.ts';
import type { ShownChange } from '../../wire/sources.ts';
import { Badge } from '../components/badge.ts';
import { Button } from '../components/button.ts';
import { Pager } from '../components/pager.ts';
import { RelativeTime } from '../components/relative-time.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import { counted } from '../formats/words.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { AcceptDialog } from './accept-dialog.ts';
import { ChangeCard } from './change-card.ts';
import { sourceStates } from './source-words.ts';

export interface SourceCardProps {
  readonly source: SourceStatus;
  /** Its withheld changes. */
  readonly changes: readonly ShownChange[];
  readonly onAccepted: () => void;
}

/** A source: its state in words, its failure, its messages, and what waits to be accepted. */
export function SourceCard({ source, changes, onAccepted }: SourceCardProps): VNode {
  const [asked, setAsked] = useState<readonly ShownChange[]>();
  const shown = useShown(changes, 20);
  const titleId = useId();
  const { name, plugin, state, tools, reported, failure, listedAt } = source;
  const { word, text, tone } = sourceStates[state];
  const clean = changes.filter(({ isBlocked }) => isBlocked !== true);
  return html`<section class="card source" aria-labelledby=${titleId}>
    <header><h2 id=${titleId} class="mono">${shownLine(name)}</h2><${Badge} tone=${tone}>${word}<//>
      <p class="muted">${counted(tools, 'tool')} · plugin ${shownLine(plugin)} · ${listedAt === undefined ? 'never listed' : html`listed <${RelativeTime} at=${listedAt} />`}</p></header>
    ${state !== 'ready' && html`<p>${text}</p>`}
    ${failure !== undefined && html`<div class=${`callout ${state === 'degraded' ? 'warn' : 'danger'}`}><p><strong>The last listing failed.</strong> ${shownLines(failure)}</p></div>`}
    ${reported.length > 0 && html`<div><h3>It reports</h3><${Messages} messages=${reported} /></div>`}
    ${
      changes.length > 0 &&
      html`<div class="changes">
        <div class="changes-head"><h3>${counted(changes.length, 'change')} to accept</h3>
          ${clean.length > 1 && html`<${Button} onClick=${() => setAsked(clean)}>Accept ${clean.length === changes.length ? 'all' : 'those without findings'} …<//>`}</div>
        ${shown.rows.map(
          (change) =>
            html`<${ChangeCard} key=${`${change.kind}:${change.name}`} change=${change} isOpen=${changes.length < 4} onAccept=${() => setAsked([change])} />`,
        )}
        ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="change" hasMore isLoading=${false} onMore=${shown.more} />`}
      </div>`
    }
    ${asked !== undefined && html`<${AcceptDialog} source=${name} changes=${asked} onClose=${() => setAsked(undefined)} onAccepted=${onAccepted} />`}
  </section>`;
}

function Messages({ messages }: { readonly messages: readonly string[] }): VNode {
  const shown = useShown(messages, 20);
  return html`<ul class="bullets">${shown.rows.map((message) => html`<li key=${message}>${shownLines(message)}</li>`)}</ul>
    ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="message" hasMore isLoading=${false} onMore=${shown.more} />`}`;
}
