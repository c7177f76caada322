import type { VNode } from 'preact';
import type { Tone } from '../formats/tone.ts';
import { type Children, html } from '../html.ts';

/** A short state, as a word: the colour alone says nothing. */
export function Badge({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: Children }): VNode {
  return html`<span class=${`badge ${tone}`}>${children}</span>`;
}

const riskTones: Readonly<Record<string, Tone>> = { low: 'neutral', medium: 'warn', high: 'danger' };

/** The risk of a tool. */
export function RiskBadge({ risk }: { readonly risk: string }): VNode {
  return html`<${Badge} tone=${riskTones[risk] ?? 'neutral'}>${risk} risk<//>`;
}
