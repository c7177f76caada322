import type { VNode } from 'preact';
import type { EndedCall } from '../../wire/calls.ts';
import { RiskBadge } from '../components/badge.ts';
import { CopyText } from '../components/copy-text.ts';
import { DetailsList } from '../components/details-list.ts';
import { RelativeTime } from '../components/relative-time.ts';
import { shownLine } from '../formats/shown-text.ts';
import { exactTime, preciseDuration } from '../formats/time.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';

const origins = { model: 'a model', host: 'a program or person of this server' } as const;

/** The facts of a call, with its ids to copy. */
export function CallFacts({ call }: { readonly call: EndedCall }): VNode {
  const { callId, tool, caller, origin, risk, startedAt, traceId, executed } = call;
  const durationMs = call.outcome === 'running' ? undefined : call.durationMs;
  return html`<div class="card"><${DetailsList} items=${[
    ['Caller', html`${shownLine(caller)} <span class="muted">(${origins[origin]})</span>`],
    ['Began', html`<${RelativeTime} at=${startedAt} /> <span class="muted number">(${exactTime(startedAt)})</span>`],
    ['Took', durationMs === undefined ? undefined : preciseDuration(durationMs)],
    ['Had an effect', executed === undefined ? undefined : executed ? 'yes: the tool was run' : 'no: the tool was not run'],
    ['Risk', risk === undefined ? undefined : html`<${RiskBadge} risk=${risk} />`],
    [
      'Trace id',
      traceId === undefined
        ? html`<span class="muted">none: traces are off, see the plugin telemetry</span>`
        : html`<${CopyText} label="trace id" text=${traceId} />`,
    ],
    ['Call id', html`<${CopyText} label="call id" text=${callId} />`],
    ['Tool', html`<a href=${hashOf('tools', tool)}>Open the tool</a> · <a href=${hashOf('calls', undefined, { tool })}>All its calls</a>`],
  ]} /></div>`;
}
