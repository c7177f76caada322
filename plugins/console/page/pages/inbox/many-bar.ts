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

const draftKey = 'decision:many';

export interface ManyBarProps {
  /** The selected records, as they were when they were selected. */
  readonly chosen: readonly ApprovalRecord[];
  /** The begun decision. */
  readonly asked: boolean | undefined;
  readonly onAsk: (approve: boolean | undefined) => void;
  readonly onClear: () => void;
  /** Called with those that were decided. */
  readonly onDecided: (decided: readonly ApprovalRecord[]) => void;
  /** Called when the request has failed: some may be decided. */
  readonly onFailed: () => void;
}

/** Decides all selected records together, with one question that says how many. */
export function ManyBar({ chosen, asked, onAsk, onClear, onDecided, onFailed }: ManyBarProps): VNode {
  const { api, notify, drafts } = useConsole();
  const [isSending, setIsSending] = useState(false);
  const calls = counted(chosen.length, 'call');
  const decide = async (decision: Decision): Promise<void> => {
    setIsSending(true);
    try {
      const decided = await decideMany(api, decision, chosen);
      const { text, isWhole } = manyResult(decision.approve, decided);
      notify(text, isWhole ? 'ok' : 'danger');
      drafts.set(draftKey, undefined);
      onDecided(decided.flatMap(({ approval }) => approval ?? []));
    } catch (error) {
      notify((error as ApiError).message, 'danger');
      onFailed();
    } finally {
      setIsSending(false);
    }
  };
  if (asked !== undefined)
    return html`<${DecisionForm} key=${asked} draftKey=${draftKey} approve=${asked} isSending=${isSending} onConfirm=${decide} onLeave=${() => onAsk(undefined)}
      confirm=${`${asked ? 'Approve' : 'Refuse'} ${calls}`} question=${html`${asked ? 'Let' : 'Refuse'} <strong>${calls}</strong>${asked ? ' run once each' : ''}? ${toolsOf(chosen)}`} />`;
  return html`<div class="decision many"><p role="status"><strong>${chosen.length}</strong> selected</p>
    <${Button} kind="quiet" icon="close" label="Clear the selection" onClick=${onClear} />
    <span class="spacer"></span>
    <${Button} kind="primary" hotkey="a" onClick=${() => onAsk(true)}>Approve<//>
    <${Button} kind="danger" hotkey="r" onClick=${() => onAsk(false)}>Refuse<//></div>`;
}
