import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useCommands } from '../hooks/use-commands.ts';
import { html } from '../html.ts';

export interface FilterFieldProps {
  /** The things that it filters, such as `Filter tools`. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A search field of a list. The key "/" goes to it, and Escape empties it. */
export function FilterField({ label, value, onChange }: FilterFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useCommands({
    filter: () => {
      input.current?.focus();
      return true;
    },
    leave: () => {
      onChange('');
      return true;
    },
  });
  return html`<input type="search" class="filter-field" ref=${input} value=${value} placeholder=${label} aria-label=${label}
    autocomplete="off" spellcheck=${false} onInput=${(event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value)} />`;
}
