import type { VNode } from 'preact';
import { html } from '../html.ts';

/** The place of content that is being read. */
export function Loading(): VNode {
  return html`<p class="loading" role="status">Loading …</p>`;
}
