import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { HeldRefusal } from '../../../../../kernel/index.ts';
import { Button } from '../../components/button.ts';
import { type ControlAttributes, Field } from '../../components/field.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { type Children, html } from '../../html.ts';
import type { Decision } from './decision.ts';

export interface DecisionFormProps {
  readonly approve: boolean;
  /** The question, such as "Let mail_send run once?". */
  readonly question: Children;
  /** Text of the button that confirms. */
  readonly confirm: string;
  /** True where a no can also refuse later calls. @default false */
  readonly canHold?: boolean;
  /** Key under which the typed reason is kept until it is sent. */
  readonly draftKey: string;
  readonly isSending: boolean;
  readonly onConfirm: (decision: Decision) => void;
  readonly onLeave: () => void;
}

/** The typed part of a no. */
interface Refusal {
  readonly reason: string;
  readonly hold: string;
}

const noRefusal: Refusal = { reason: '', hold: '' };

const holds = [
  ['', 'Only this call'],
  ['arguments', 'Calls with the same arguments, for a while'],
  ['tool', 'All calls of this tool by this caller, for a while'],
] as const;

/** The second step of a decision. It takes the focus; Enter confirms and Escape leaves. */
export function DecisionForm({
  approve,
  question,
  confirm,
  canHold = false,
  draftKey,
  isSending,
  onConfirm,
  onLeave,
}: DecisionFormProps): VNode {
  const form = useRef<HTMLFormElement>(null);
  const [{ reason, hold } = noRefusal, setRefusal] = useDraft<Refusal>(draftKey);
  // Before the next key: an Enter that follows at once must not press what had the focus.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>(approve ? 'button[type=submit]' : 'input')?.focus(), [approve]);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    if (isSending) return;
    const more = { ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...(hold === '' ? {} : { hold: hold as HeldRefusal }) };
    onConfirm(approve ? { approve } : { approve, ...more });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onLeave();
  };
  return html`<form ref=${form} class="decision asking" aria-label="Confirm" onSubmit=${onSubmit} onKeyDown=${onKey}>
    <p class="question">${question}</p>
    ${
      !approve &&
      html`<${Field} label="Reason (the caller reads it; can be empty)" control=${(attributes: ControlAttributes) =>
        html`<input ...${attributes} type="text" maxlength="500" autocomplete="off" value=${reason}
          onInput=${(event: InputEvent) => setRefusal({ reason: (event.target as HTMLInputElement).value, hold })} />`} />`
    }
    ${
      !approve &&
      canHold &&
      html`<${Field} label="Applies to" control=${(attributes: ControlAttributes) =>
        html`<select ...${attributes} value=${hold} onChange=${(event: Event) => setRefusal({ reason, hold: (event.target as HTMLSelectElement).value })}>
          ${holds.map(([value, text]) => html`<option value=${value} selected=${value === hold}>${text}</option>`)}</select>`} />`
    }
    <div class="decision-buttons">
      <button type="submit" class=${`button ${approve ? 'primary' : 'danger solid'}`} aria-disabled=${isSending}>${confirm}<kbd aria-hidden="true">Enter</kbd></button>
      <${Button} kind="quiet" onClick=${onLeave}>Back<kbd aria-hidden="true">Esc</kbd><//>
    </div>
  </form>`;
}
