import type { Ref, VNode } from 'preact';
import { type Children, html } from '../html.ts';
import { Icon, type IconName } from './icon.ts';

export interface ButtonProps {
  /** `primary`: the one next step. `danger`: a no, or an end. `quiet`: without a border. @default plain */
  readonly kind?: 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly icon?: IconName;
  /** The key that does the same, shown on wide screens. */
  readonly hotkey?: string;
  /** The name for a button without a text. */
  readonly label?: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** Id of the part that the button opens and closes, and its present state. */
  readonly controls?: string;
  readonly expanded?: boolean;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children?: Children;
}

export function Button({
  kind,
  type = 'button',
  icon,
  hotkey,
  label,
  disabled,
  pressed,
  controls,
  expanded,
  buttonRef,
  onClick,
  children,
}: ButtonProps): VNode {
  const isBare = children === undefined;
  return html`<button type=${type} class=${`button ${kind ?? ''} ${isBare ? 'bare' : ''}`} ref=${buttonRef} onClick=${onClick} disabled=${disabled}
    aria-label=${label} title=${isBare ? label : undefined} aria-pressed=${pressed} aria-keyshortcuts=${hotkey}
    aria-controls=${controls} aria-expanded=${expanded}>
    ${icon !== undefined && html`<${Icon} name=${icon} />`}${children}${hotkey !== undefined && html`<kbd aria-hidden="true">${hotkey}</kbd>`}
  </button>`;
}
