import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import type { ApiError } from '../../api.ts';
import { Button } from '../../components/button.ts';
import { Dialog } from '../../components/dialog.ts';
import { type ControlAttributes, Field } from '../../components/field.ts';
import { useConsole } from '../../console-context.ts';
import { parseExact } from '../../formats/exact-json.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { html } from '../../html.ts';

export interface ChangeDialogProps {
  readonly record: ApprovalRecord;
  readonly onClose: () => void;
  /** Called with the new record, which waits in place of the old one. */
  readonly onChanged: (record: ApprovalRecord) => void;
}

/** Asks for other parameters of a call, as JSON. Escape keeps what was typed for the next time, Cancel does not. */
export function ChangeDialog({ record, onClose, onChanged }: ChangeDialogProps): VNode {
  const { api } = useConsole();
  // Of the record as it was when the dialog was opened: what is typed stays when it is read again.
  const [opened] = useState(() => ({
    draftKey: `change:${record.id}:${record.digest}`,
    text: JSON.stringify(record.shown.parameters, null, 2),
  }));
  const [text = opened.text, setText] = useDraft<string>(opened.draftKey);
  const [error, setError] = useState<string>();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const parameters = objectIn(text);
    if (parameters === undefined) return setError('This is no JSON object. Write the parameters as {"name": value}.');
    try {
      const next = await api.post<ApprovalRecord>(`approvals/${encodeURIComponent(record.id)}/change`, { parameters });
      setText(undefined);
      onChanged(next);
    } catch (failure) {
      setError((failure as ApiError).message);
    }
  };
  const cancel = (): void => {
    setText(undefined);
    onClose();
  };
  return html`<${Dialog} title="Change the parameters" onClose=${onClose}><form onSubmit=${submit}>
    <${Field} label="Parameters as JSON" hint="The call with these parameters waits as a new question, and this one is refused. A masked secret must be written anew."
      error=${error} control=${(attributes: ControlAttributes) =>
        html`<textarea ...${attributes} class="code" rows="14" spellcheck="false" value=${text}
          onInput=${(event: InputEvent) => setText((event.target as HTMLTextAreaElement).value)}></textarea>`} />
    <div class="dialog-actions"><${Button} onClick=${cancel}>Cancel<//><${Button} kind="primary" type="submit">Ask with these<//></div>
  </form><//>`;
}

function objectIn(text: string): object | undefined {
  try {
    const value = parseExact(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
