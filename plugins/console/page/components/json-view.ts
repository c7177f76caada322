import type { VNode } from 'preact';
import { html } from '../html.ts';
import { CodeBlock } from './code-block.ts';

/** A value as indented JSON, whole. A text of several lines is shown as it is. */
export function JsonView({ label, value }: { readonly label: string; readonly value: unknown }): VNode {
  const text = typeof value === 'string' && value.includes('\n') ? value : (JSON.stringify(value, null, 2) ?? '');
  return html`<${CodeBlock} label=${label} text=${text} canCopy />`;
}
