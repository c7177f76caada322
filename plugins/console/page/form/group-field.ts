import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from '../components/button.ts';
import { type ControlAttributes, Field as LabelledField } from '../components/field.ts';
import { Select } from '../components/select.ts';
import { shownLine } from '../formats/shown-text.ts';
import { type Children, html } from '../html.ts';
import { type ChoiceField, type FieldValue, type ListField, type ObjectField, unset } from './field.ts';
import { type FieldProps, hintOf, labelOf } from './form-context.ts';
import { choiceValue, initialValue, openedValue } from './parameters-to-values.ts';
import { othersPath, pathOf } from './values-to-parameters.ts';

/** A list: its items, each with a way to remove it, and a way to add one. */
export function ListGroup(props: FieldProps<ListField>): VNode {
  const { field, value, path, context, onChange } = props;
  const items = value.kind === 'list' ? value.items : [];
  const group = useRef<HTMLDivElement>(null);
  const focusSoon = (selector: string): void => {
    requestAnimationFrame(() => [...(group.current?.querySelectorAll<HTMLElement>(selector) ?? [])].at(-1)?.focus());
  };
  const change = (next: readonly FieldValue[]): void => onChange({ kind: 'list', items: next });
  const add = (): void => {
    change([...items, openedValue(field.item)]);
    focusSoon('.item :is(input, textarea, select)');
  };
  const remove = (index: number): void => {
    change(items.filter((_, at) => at !== index));
    focusSoon('.add-item .button');
  };
  return html`<${Group} ...${props}><div class="items" ref=${group}>
    ${items.map(
      (item, index) => html`<div class="item" key=${index}>
        <${context.FieldView} field=${field.item} value=${item} path=${pathOf(path, index)} title=${`Item ${index + 1}`} context=${context}
          onChange=${(next: FieldValue) => change(items.map((old, at) => (at === index ? next : old)))} />
        <${Button} kind="quiet" icon="close" label=${`Remove item ${index + 1}`} onClick=${() => remove(index)} />
      </div>`,
    )}
    <p class="add-item"><${Button} disabled=${items.length >= (field.maxItems ?? 1000)} onClick=${add}>Add an item<//></p>
  </div><//>`;
}

/** An object: its members, required ones first. */
export function ObjectGroup(props: FieldProps<ObjectField>): VNode {
  return html`<${Group} ...${props}><${Members} ...${props} /><//>`;
}

/** The members of an object without a frame, such as those of the whole form. */
export function Members({ field, value, path, context, onChange }: FieldProps<ObjectField>): VNode {
  const object = value.kind === 'object' ? value : { kind: 'object' as const, members: new Map<string, FieldValue>(), others: '' };
  const ordered = [...field.members].sort((first, second) => Number(second.isRequired) - Number(first.isRequired));
  const others = othersPath(path);
  return html`<div class="members">
    ${ordered.map(
      (
        member,
      ) => html`<${context.FieldView} key=${member.name} field=${member} value=${object.members.get(member.name) ?? unset} path=${pathOf(path, member.name)}
        context=${context} onChange=${(next: FieldValue) => onChange({ ...object, members: new Map(object.members).set(member.name, next) })} />`,
    )}
    ${
      (field.takesOthers || object.others !== '') &&
      html`<${LabelledField} label="Further members, as JSON" hint="For members that have no field here." error=${context.issueOf(others)}
        control=${(
          attributes: ControlAttributes,
        ) => html`<textarea class="code growing" rows="2" ...${attributes} value=${object.others} spellcheck=${false}
          onInput=${(event: { readonly currentTarget: HTMLTextAreaElement }) => onChange({ ...object, others: event.currentTarget.value })} onBlur=${() => context.onLeave(others)} />`} />`
    }
  </div>`;
}

/** A choice between several forms of one value. */
export function ChoiceGroup(props: FieldProps<ChoiceField>): VNode {
  const { field, value, path, title, context, onChange } = props;
  const index = value.kind === 'choice' ? value.index : undefined;
  const chosen = index === undefined ? undefined : field.choices[index];
  const options = [
    ['', field.isRequired ? 'Choose …' : 'Not sent'],
    ...field.choices.map(({ label }, at) => [String(at), shownLine(label)]),
    ...(field.isNullable ? [['null', 'null']] : []),
  ];
  const onSelect = (key: string): void =>
    onChange(key === '' ? unset : key === 'null' ? { kind: 'null' } : choiceValue(field, Number(key)));
  return html`<div class="choice-group">
    <${LabelledField} label=${field.name === '' && title === undefined ? 'Form of the parameters' : labelOf({ field, title })} hint=${hintOf(field)}
      error=${value.kind === 'unset' ? context.issueOf(path) : undefined}
      control=${(attributes: ControlAttributes) => html`<${Select} attributes=${attributes} value=${value.kind === 'null' ? 'null' : String(index ?? '')} options=${options} onChange=${onSelect} />`} />
    ${
      chosen !== undefined &&
      value.kind === 'choice' &&
      html`<div class="group-body"><${context.FieldView} key=${index} field=${chosen.field} value=${value.value} path=${path} title=${shownLine(chosen.label)} context=${context} isBare
        onChange=${(next: FieldValue) => onChange({ ...value, value: next })} /></div>`
    }
  </div>`;
}

/** A named frame around parts. What is optional is added first, so that nothing of it is sent unasked. */
function Group({ children, ...props }: FieldProps<ListField | ObjectField> & { readonly children: Children }): VNode {
  const { field, value, path, title, context, onChange } = props;
  const id = useId();
  const issue = context.issueOf(path);
  const hint = hintOf(field);
  const isOpen = value.kind === field.kind;
  const name = title ?? shownLine(field.name);
  return html`<fieldset class="group" aria-describedby=${[hint && `${id}-hint`, issue && `${id}-error`].filter(Boolean).join(' ') || undefined}>
    <legend>${labelOf({ field, title })}</legend>
    ${hint !== undefined && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    ${issue !== undefined && html`<p class="field-error" id=${`${id}-error`}>${issue}</p>`}
    ${value.kind === 'null' && html`<p><span class="mono">null</span> is sent.</p>`}
    ${isOpen && html`<div class="group-body">${children}</div>`}
    <p class="group-actions">
      ${!isOpen && html`<${Button} onClick=${() => onChange(openedValue(field))}>Add ${name}<//>`}
      ${value.kind !== 'unset' && !field.isRequired && html`<${Button} kind="quiet" onClick=${() => onChange(initialValue({ ...field, isRequired: false }))}>Leave out ${name}<//>`}
      ${field.isNullable && value.kind !== 'null' && html`<${Button} kind="quiet" onClick=${() => onChange({ kind: 'null' })}>Send null<//>`}
    </p>
  </fieldset>`;
}
