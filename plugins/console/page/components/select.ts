import type { VNode } from 'preact';
import { html } from '../html.ts';
import type { ControlAttributes } from './field.ts';

export interface SelectProps {
  /** Name, where no label stands beside it. */
  readonly label?: string;
  /** Attributes of the label beside it. */
  readonly attributes?: ControlAttributes;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
}

/** A choice of one from a list. */
export function Select({ label, attributes, value, options, onChange, onBlur }: SelectProps): VNode {
  return html`<select ...${attributes} aria-label=${label} value=${value} onBlur=${onBlur}
    onChange=${(event: { readonly currentTarget: HTMLSelectElement }) => onChange(event.currentTarget.value)}>
    ${options.map(([option, text]) => html`<option key=${option} value=${option} selected=${option === value}>${text}</option>`)}
  </select>`;
}
