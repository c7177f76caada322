import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import type { ApiError } from '../../api.ts';
import { Button } from '../../components/button.ts';
import { useConsole } from '../../console-context.ts';
import { counted } from '../../formats/words.ts';
import { html } from '../../html.ts';
import { decideMany, manyResult } from './decide-many.ts';
import type { Decision } from './decision.ts';
import { DecisionForm } from './decision-form.ts';
import { toolsOf } from './summary.ts';

export interface ManyBarProps {
  /** The selected records, as they were when they were selected. */
  readonly chosen: readonly ApprovalRecord[];
  /** The begun decision. */
  readonly asked: boolean | undefined;
  readonly onAsk: (approve: boolean | undefined) => void;
  readonly onClear: () => void;
  readonly onDecided: () => void;
}

/** Decides all selected records together, with one question that says how many. */
export function ManyBar({ chosen, asked, onAsk, onClear, onDecided }: ManyBarProps): VNode {
  const { api, notify } = useConsole();
  const [isSending, setIsSending] = useState(false);
  const calls = counted(chosen.length, 'call');
  const decide = async (decision: Decision): Promise<void> => {
    setIsSending(true);
    try {
      const { text, isWhole } = manyResult(decision.approve, await decideMany(api, decision, chosen));
      notify(text, isWhole ? 'ok' : 'danger');
    } catch (error) {
      notify((error as ApiError).message, 'danger');
    } finally {
      setIsSending(false);
      onDecided();
    }
  };
  if (asked !== undefined)
    return html`<${DecisionForm} key=${asked} approve=${asked} isSending=${isSending} onConfirm=${decide} onLeave=${() => onAsk(undefined)}
      confirm=${`${asked ? 'Approve' : 'Refuse'} ${calls}`} question=${html`${asked ? 'Let' : 'Refuse'} <strong>${calls}</strong>${asked ? ' run once each' : ''}? ${toolsOf(chosen)}`} />`;
  return html`<div class="decision many"><p role="status"><strong>${chosen.length}</strong> selected</p>
    <${Button} kind="quiet" icon="close" label="Clear the selection" onClick=${onClear} />
    <span class="spacer"></span>
    <${Button} kind="primary" hotkey="a" onClick=${() => onAsk(true)}>Approve<//>
    <${Button} kind="danger" hotkey="r" onClick=${() => onAsk(false)}>Refuse<//></div>`;
}
