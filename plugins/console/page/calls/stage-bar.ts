import type { VNode } from 'preact';
import { preciseDuration } from '../formats/time.ts';
import { html } from '../html.ts';
import { type StageTime, stageTitles } from './stage-times.ts';

/** Least share of a bar, in percent, so that each stage can be seen. */
const minShare = 1;

/** The stages of a call as a bar in proportion, and as a list with their times, which says the same to everybody. */
export function StageBar({ times, isRunning }: { readonly times: readonly StageTime[]; readonly isRunning: boolean }): VNode {
  const wholeMs = Math.max(1, ...times.map(({ fromMs, durationMs }) => fromMs + durationMs));
  return html`<div class="stages">
    <svg class="stage-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${times.map(
      ({
        stage,
        fromMs,
        durationMs,
      }) => html`<rect key=${stage} class=${stage} x=${Math.min(100 - minShare, (fromMs / wholeMs) * 100)} y="0"
        width=${Math.max(minShare, (durationMs / wholeMs) * 100)} height="10" />`,
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
