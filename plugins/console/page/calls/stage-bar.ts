import type { VNode } from 'preact';
import { preciseDuration } from '../formats/time.ts';
import { html } from '../html.ts';
import { barParts, type StageTime, stageTitles } from './stage-times.ts';

/** The stages of a call as a bar in proportion, and as a list with their times, which says the same to everybody. */
export function StageBar({ times, isRunning }: { readonly times: readonly StageTime[]; readonly isRunning: boolean }): VNode {
  return html`<div class="stages">
    <svg class="stage-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${barParts(times).map(
      ({ stage, from, width }) => html`<rect key=${stage} class=${stage} x=${from} y="0" width=${width} height="10" />`,
    )}</svg>
    <ol>${times.map(
      ({ stage, fromMs, durationMs }, index) => html`<li key=${stage}>
        <svg class="stage-mark" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><rect class=${stage} width="10" height="10" rx="2" /></svg>
        <span>${stageTitles[stage]}</span>
        <span class="number">${preciseDuration(durationMs)}${isRunning && index === times.length - 1 ? ' so far' : ''}</span>
        <span class="muted number">began at ${preciseDuration(fromMs)}</span></li>`,
    )}</ol>
  </div>`;
}
