import type { VNode } from 'preact';
import { html } from '../html.ts';
import type { FieldViewProps } from './form-context.ts';
import { ChoiceGroup, ListGroup, Members, ObjectGroup } from './group-field.ts';
import { JsonBox, OptionChoice, TypedField } from './scalar-field.ts';

/** The input of a field of any kind. */
export function FieldView({ isBare = false, ...props }: FieldViewProps): VNode {
  const { field, value } = props;
  if (field.kind === 'json' || value.kind === 'json') return html`<${JsonBox} ...${props} />`;
  switch (field.kind) {
    case 'text':
    case 'number':
      return html`<${TypedField} ...${props} />`;
    case 'option':
      return html`<${OptionChoice} ...${props} />`;
    case 'list':
      return html`<${ListGroup} ...${props} />`;
    case 'object':
      return isBare ? html`<${Members} ...${props} />` : html`<${ObjectGroup} ...${props} />`;
    case 'choice':
      return html`<${ChoiceGroup} ...${props} />`;
  }
}
