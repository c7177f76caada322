import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { type Children, html } from '../html.ts';

/** Attributes that connect a control with its label and texts. */
export interface ControlAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

export interface FieldProps {
  readonly label: Children;
  /** Text below the control, such as its format. */
  readonly hint?: Children;
  /** Sentence that says what is wrong, and what is right. */
  readonly error?: string | undefined;
  /** Returns the control: `(attributes) => html\`<input ...${attributes} />\``. */
  readonly control: (attributes: ControlAttributes) => VNode;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, control }: FieldProps): VNode {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control({ id, 'aria-describedby': described || undefined, 'aria-invalid': error === undefined ? undefined : true })}
    ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${error !== undefined && html`<p class="field-error" id=${`${id}-error`}>${error}</p>`}
  </div>`;
}
