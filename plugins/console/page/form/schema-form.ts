import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Choices } from '../components/choices.ts';
import { type ControlAttributes, Field as LabelledField } from '../components/field.ts';
import { html } from '../html.ts';
import type { Field, FieldValue } from './field.ts';
import { FieldView } from './field-view.ts';
import { type FormState, submissionOf, switchedForm } from './form-state.ts';

export interface SchemaFormProps {
  readonly field: Field;
  readonly state: FormState;
  /** True after an attempt to call: every issue is shown. */
  readonly isTried: boolean;
  readonly onChange: (state: FormState) => void;
}

const modes = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

/** The parameters of a tool as a form or as JSON. */
export function SchemaForm({ field, state, isTried, onChange }: SchemaFormProps): VNode {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { issues } = submissionOf(field, state);
  const context = {
    issueOf: (path: string) => (isTried || left.has(path) ? issues.get(path) : undefined),
    onLeave: (path: string) => setLeft((before) => new Set(before).add(path)),
    FieldView,
  };
  const { problem: _, ...kept } = state;
  const isEmpty = field.kind === 'object' && field.members.length === 0 && !field.takesOthers;
  return html`<div class="schema-form">
    <${Choices} label="Write the parameters as" value=${state.mode} choices=${modes}
      onChange=${(mode: FormState['mode']) => mode !== state.mode && onChange(switchedForm(field, state))} />
    ${
      state.mode === 'json'
        ? html`<${LabelledField} label="Parameters as JSON" error=${state.problem ?? context.issueOf('')}
            control=${(
              attributes: ControlAttributes,
            ) => html`<textarea class="code" rows="12" ...${attributes} value=${state.text} spellcheck=${false} autocomplete="off"
              onInput=${(event: { readonly currentTarget: HTMLTextAreaElement }) => onChange({ ...kept, text: event.currentTarget.value })} />`} />`
        : html`${isEmpty && state.value.kind === 'object' && state.value.others === '' && html`<p class="muted">This tool takes no parameters.</p>`}
          <${FieldView} isBare field=${field} value=${state.value} path="" context=${context} onChange=${(value: FieldValue) => onChange({ ...kept, value })} />`
    }
  </div>`;
}
