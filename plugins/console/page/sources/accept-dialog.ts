import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { AcceptChanges, ShownChange } from '../../wire/sources.ts';
import type { ApiError } from '../api.ts';
import { Button } from '../components/button.ts';
import { Dialog } from '../components/dialog.ts';
import { useConsole } from '../console-context.ts';
import { shownLine } from '../formats/shown-text.ts';
import { counted } from '../formats/words.ts';
import { html } from '../html.ts';
import { Findings } from './change-card.ts';

export interface AcceptDialogProps {
  readonly source: string;
  readonly changes: readonly ShownChange[];
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}

/** The second step of accepting. Sends the digests that were shown, so that nothing else is accepted. */
export function AcceptDialog({ source, changes, onClose, onAccepted }: AcceptDialogProps): VNode {
  const { api, notify } = useConsole();
  const [isSending, setIsSending] = useState(false);
  const [isRead, setIsRead] = useState(false);
  const [failure, setFailure] = useState<string>();
  const blocked = changes.filter(({ isBlocked }) => isBlocked === true);
  const findings = changes.flatMap((change) =>
    (change.findings ?? []).map((finding) => (changes.length > 1 ? `${change.name}: ${finding}` : finding)),
  );
  const accept = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const body: AcceptChanges = {
      changes: changes.map(({ name, digest }) => ({ name, digest })),
      ...(blocked.length > 0 && { acceptFindings: blocked.map(({ name }) => name) }),
    };
    try {
      await api.post(`sources/${encodeURIComponent(source)}/accept`, body);
      notify(`Accepted ${counted(changes.length, 'change')} of ${source}.`);
      onClose();
    } catch (error) {
      setFailure(`${(error as ApiError).message} Close this and read the change again.`);
      setIsSending(false);
    }
    onAccepted();
  };
  return html`<${Dialog} title=${changes.length === 1 ? `Accept ${changes[0]?.name}?` : `Accept ${counted(changes.length, 'change')}?`} onClose=${onClose}>
    <form class="accept" onSubmit=${(event: Event) => void accept(event)}>
      <p>Models can use ${changes.length === 1 ? 'it' : 'them'} in this form from then on, also after a restart if the source records it.</p>
      ${
        changes.length > 1 &&
        html`<ul class="bullets names" tabindex="0" role="region" aria-label="Changes">${changes.map(({ kind, name, change }) => html`<li key=${kind + name}><span class="mono">${shownLine(name)}</span> <span class="muted">(${change} ${kind})</span></li>`)}</ul>`
      }
      ${findings.length > 0 && html`<${Findings} findings=${findings} />`}
      ${
        blocked.length > 0 &&
        html`<label class="check"><input type="checkbox" checked=${isRead} onChange=${() => setIsRead(!isRead)} /> <span>I have read this, and accept it all the same</span></label>`
      }
      ${failure !== undefined && html`<div class="callout danger" role="alert"><p>${failure}</p></div>`}
      <div class="dialog-actions"><${Button} onClick=${onClose}>Not now<//>
        <${Button} kind="primary" type="submit" disabled=${isSending || (blocked.length > 0 && !isRead)}>${isSending ? 'Accepting …' : 'Accept'}<//></div>
    </form>
  <//>`;
}
