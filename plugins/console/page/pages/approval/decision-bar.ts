import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalDetails, ApprovalRecord } from '../../../../../kernel/index.ts';
import { ApiError } from '../../api.ts';
import { Button } from '../../components/button.ts';
import { useConsole } from '../../console-context.ts';
import { shownLine } from '../../formats/shown-text.ts';
import { html } from '../../html.ts';
import { hashOf } from '../../router.ts';
import type { Decision } from '../inbox/decision.ts';
import { DecisionForm } from '../inbox/decision-form.ts';

export interface DecisionBarProps {
  readonly record: ApprovalDetails;
  /** The begun decision. */
  readonly asked: boolean | undefined;
  readonly onAsk: (approve: boolean | undefined) => void;
  readonly onDecided: (decided: readonly ApprovalRecord[]) => void;
  /** Reads the record again. */
  readonly onStale: () => void;
}

/** Decides one record in two steps. A begun decision ends when the record changes. */
export function DecisionBar({ record, asked, onAsk, onDecided, onStale }: DecisionBarProps): VNode {
  const { api, notify, drafts } = useConsole();
  const draftKey = `decision:${record.id}:${record.digest}`;
  const [isSending, setIsSending] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const shown = useRef(record.digest);
  useEffect(() => {
    if (shown.current === record.digest) return;
    shown.current = record.digest;
    onAsk(undefined);
    notify('This call has changed meanwhile. Read it again before you decide.', 'danger');
  }, [record.digest]);
  const leave = (): void => {
    const key = asked === true ? 'a' : 'r';
    onAsk(undefined);
    requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`)?.focus());
  };
  const decide = async (decision: Decision): Promise<void> => {
    setIsSending(true);
    try {
      const decided = await api.post<ApprovalRecord>(`approvals/${encodeURIComponent(record.id)}/decide`, {
        ...decision,
        digest: record.digest,
      });
      notify(resultOf(decision, decided), 'ok', hashOf('inbox', record.id, { status: 'all' }));
      drafts.set(draftKey, undefined);
      onDecided([decided]);
    } catch (error) {
      notify((error as ApiError).message, 'danger');
      onAsk(undefined);
      // Decided or changed by another: the list goes on with what there is now.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) onStale();
    } finally {
      setIsSending(false);
    }
  };
  const tool = html`<span class="mono">${shownLine(record.tool)}</span>`;
  if (asked !== undefined)
    return html`<${DecisionForm} key=${asked} draftKey=${draftKey} approve=${asked} canHold isSending=${isSending} onConfirm=${decide} onLeave=${leave}
      confirm=${asked ? 'Approve' : 'Refuse'} question=${asked ? html`Let ${tool} run once, as shown?` : html`Refuse this call of ${tool}?`} />`;
  return html`<div ref=${bar} class="decision">
    <${Button} kind="primary" hotkey="a" onClick=${() => onAsk(true)}>Approve …<//>
    <${Button} kind="danger" hotkey="r" onClick=${() => onAsk(false)}>Refuse …<//>
  </div>`;
}

function resultOf({ approve }: Decision, { tool, status, approvers, decisions }: ApprovalRecord): string {
  const name = shownLine(tool);
  if (!approve) return `${name} refused.`;
  const missing = approvers - new Set(decisions.filter((decision) => decision.approve).map(({ by }) => by.name)).size;
  return status === 'waiting' ? `Your yes to ${name} is recorded. ${missing} more must say yes.` : `${name} approved.`;
}
