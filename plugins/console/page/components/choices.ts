import type { VNode } from 'preact';
import { html } from '../html.ts';
import { Button } from './button.ts';

export interface ChoicesProps<T extends string> {
  /** The question that they answer, for screen readers. */
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
}

/** A row of buttons of which one is pressed. */
export function Choices<T extends string>({ label, value, choices, onChange }: ChoicesProps<T>): VNode {
  return html`<div class="choices" role="group" aria-label=${label}>${choices.map(
    ([choice, text]) => html`<${Button} key=${choice} pressed=${choice === value} onClick=${() => onChange(choice)}>${text}<//>`,
  )}</div>`;
}
