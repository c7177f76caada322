import type { VNode } from 'preact';
import type { EndedCall } from '../../wire/calls.ts';
import { Badge } from '../components/badge.ts';
import { RelativeTime } from '../components/relative-time.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { preciseDuration } from '../formats/time.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';

const columns: readonly Column<EndedCall>[] = [
  { title: 'Tool', show: ({ tool }) => html`<span class="mono">${shownLine(tool)}</span>` },
  { title: 'Outcome', show: ({ outcome }) => html`<${OutcomeBadge} outcome=${outcome} />` },
  { title: 'Caller', show: ({ caller }) => shownLine(caller) },
  { title: 'Took', show: ({ durationMs }) => preciseDuration(durationMs), isNumber: true },
  { title: 'Began', show: ({ startedAt }) => html`<${RelativeTime} at=${startedAt} />`, isNumber: true },
];

/** Calls that have ended, newest first. */
export function EndedTable({ calls }: { readonly calls: readonly EndedCall[] }): VNode {
  return html`<${Table} caption="Ended calls" columns=${columns} rows=${calls} keyOf=${({ callId }: EndedCall) => callId}
    hrefOf=${({ callId }: EndedCall) => hashOf('calls', callId)} />`;
}

/** Outcomes whose code says too little to a person. The page of the call has the code. */
const words: Readonly<Record<string, string>> = { APPROVAL_REQUIRED: 'needs approval', APPROVAL_DENIED: 'not approved' };

/** The outcome of a call: `completed`, or the code of its error. A refusal and a pending approval are no failure of the tool. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }): VNode {
  const tone = outcome === 'completed' ? 'ok' : outcome === 'running' ? 'accent' : outcome.startsWith('APPROVAL_') ? 'warn' : 'danger';
  return html`<${Badge} tone=${tone}>${words[outcome] ?? shownLine(outcome)}<//>`;
}
