import type { VNode } from 'preact';
import { Button } from '../components/button.ts';
import { type ControlAttributes, Field as LabelledField } from '../components/field.ts';
import { Select } from '../components/select.ts';
import { shownLine } from '../formats/shown-text.ts';
import { html } from '../html.ts';
import { type FieldValue, type NumberField, type OptionField, type TextField, unset } from './field.ts';
import { type FieldProps, hintOf, labelOf } from './form-context.ts';

type TypedEvent = { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement };

/** A text or a number. Nothing typed is not sent, unless a text is required or was empty before. */
export function TypedField({ field, value, path, title, context, onChange }: FieldProps<TextField | NumberField>): VNode {
  const text = value.kind === 'text' ? value.text : '';
  const onInput = ({ currentTarget }: TypedEvent): void =>
    onChange(currentTarget.value === '' && !isEmptyTextSent(field) ? unset : { kind: 'text', text: currentTarget.value });
  const given = (attributes: ControlAttributes): object => ({
    ...attributes,
    value: text,
    onInput,
    onBlur: () => context.onLeave(path),
    disabled: value.kind === 'null',
    autocomplete: 'off',
    spellcheck: false,
  });
  const isLong = field.kind === 'text' && field.format === undefined && field.pattern === undefined && (field.maxLength ?? 1000) > 200;
  const control = (attributes: ControlAttributes): VNode =>
    isLong
      ? html`<textarea class="growing" rows="1" ...${given(attributes)} />`
      : html`<input type="text" inputmode=${field.kind === 'number' ? (field.isInteger ? 'numeric' : 'decimal') : 'text'} ...${given(attributes)} />`;
  return html`<div class="form-field">
    <${LabelledField} label=${labelOf({ field, title })} hint=${hintOf(field)} error=${context.issueOf(path)} control=${control} />
    ${field.isNullable && html`<${NullBox} name=${title ?? field.name} value=${value} onChange=${onChange} />`}
    ${
      value.kind === 'text' && value.text === '' && !field.isRequired
        ? html`<p class="hint">An empty text is sent. <${Button} kind="quiet" onClick=${() => onChange(unset)}>Leave it out<//></p>`
        : ''
    }
  </div>`;
}

function isEmptyTextSent(field: TextField | NumberField): boolean {
  return (
    field.kind === 'text' && field.isRequired && (field.minLength ?? 0) === 0 && field.format === undefined && field.pattern === undefined
  );
}

function NullBox({
  name,
  value,
  onChange,
}: {
  readonly name: string;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
}): VNode {
  return html`<label class="check"><input type="checkbox" aria-label=${`${name}: null`} checked=${value.kind === 'null'}
    onChange=${(event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.checked ? { kind: 'null' } : unset)} /> <span class="mono">null</span></label>`;
}

/** One of some values, from a list. */
export function OptionChoice({ field, value, path, title, context, onChange }: FieldProps<OptionField>): VNode {
  const options: (readonly [string, string])[] = field.options.map(({ label }, index) => [String(index), shownLine(label)]);
  const hasNull = field.options.some((option) => option.value === null);
  const onSelect = (key: string): void =>
    onChange(key === '' ? unset : key === 'null' ? { kind: 'null' } : { kind: 'option', index: Number(key) });
  const all = [['', field.isRequired ? 'Choose …' : 'Not sent'], ...options, ...(field.isNullable && !hasNull ? [['null', 'null']] : [])];
  const selected = value.kind === 'option' ? String(value.index) : value.kind === 'null' ? 'null' : '';
  return html`<${LabelledField} label=${labelOf({ field, title })} hint=${hintOf(field)} error=${context.issueOf(path)}
    control=${(attributes: ControlAttributes) => html`<${Select} attributes=${attributes} value=${selected} options=${all} onChange=${onSelect} onBlur=${() => context.onLeave(path)} />`} />`;
}

/** A part that is written as JSON; `onReset` goes back to the field's own input. */
export function JsonBox({ field, value, path, title, context, onChange }: FieldProps): VNode {
  const onInput = ({ currentTarget }: TypedEvent): void =>
    onChange(currentTarget.value === '' && field.kind === 'json' ? unset : { kind: 'json', text: currentTarget.value });
  return html`<div class="form-field">
    <${LabelledField} label=${labelOf({ field, title })} hint=${hintOf(field)} error=${context.issueOf(path)}
      control=${(
        attributes: ControlAttributes,
      ) => html`<textarea class="code growing" rows="2" ...${attributes} value=${value.kind === 'json' ? value.text : value.kind === 'null' ? 'null' : ''}
        onInput=${onInput} onBlur=${() => context.onLeave(path)} autocomplete="off" spellcheck=${false} />`} />
    ${field.kind !== 'json' && html`<p><${Button} kind="quiet" onClick=${() => onChange(unset)}>Use the field<//></p>`}
  </div>`;
}
