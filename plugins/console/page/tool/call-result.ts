import type { VNode } from 'preact';
import type { FormAnswer } from '../../wire/tools.ts';
import { OutcomeBadge } from '../calls/ended-table.ts';
import { Badge } from '../components/badge.ts';
import { CopyText } from '../components/copy-text.ts';
import { DetailsList } from '../components/details-list.ts';
import { JsonView } from '../components/json-view.ts';
import { shownLine, shownLines } from '../formats/shown-text.ts';
import { preciseDuration } from '../formats/time.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { HeldCall } from './held-call.ts';

export interface CallResultProps {
  readonly answer: FormAnswer;
  /** Makes the same call again. */
  readonly onAgain: () => void;
}

/** The answer of a call: its result or its error, and the way to its record. */
export function CallResult({ answer, onAgain }: CallResultProps): VNode {
  const { callId, traceId, as, caller, durationMs, output, outputNote, error } = answer;
  return html`
    ${error !== undefined && html`<${CallFailure} error=${error} onAgain=${onAgain} />`}
    ${error === undefined && html`<${JsonView} label="result as JSON" value=${output ?? null} />`}
    ${outputNote !== undefined && html`<p class="hint">${shownLine(outputNote)}</p>`}
    <${DetailsList} items=${[
      ['Outcome', error === undefined ? html`<${Badge} tone="ok">completed<//>` : html`<${OutcomeBadge} outcome=${error.code} />`],
      ['Called as', `${as === 'model' ? 'a model' : 'operator'}, caller ${shownLine(caller)}`],
      ['Took', preciseDuration(durationMs)],
      ['Trace id', traceId === undefined ? undefined : html`<${CopyText} label="trace id" text=${traceId} />`],
      ['Call', callId === undefined ? undefined : html`<a href=${hashOf('calls', callId)}>Open the call</a>`],
    ]} />`;
}

function CallFailure({ error, onAgain }: { readonly error: NonNullable<FormAnswer['error']>; readonly onAgain: () => void }): VNode {
  const { code, message, approval } = error;
  const text = html`<p><strong class="mono">${shownLine(code)}</strong><br />${shownLines(message)}</p>`;
  if (approval === undefined) return html`<div class="callout danger">${text}</div>`;
  return html`<div class="callout warn">${
    code === 'APPROVAL_DENIED'
      ? html`${text}<a class="button" href=${hashOf('inbox', approval)}>Open the record</a>`
      : html`<${HeldCall} id=${approval} onAgain=${onAgain}><p>It did not run: a person must decide first.</p><//>`
  }</div>`;
}
