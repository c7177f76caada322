import type { VNode } from 'preact';
import type { ApprovalRecord } from '../../../../../kernel/index.ts';
import type { CallsPage } from '../../../wire/calls.ts';
import { OutcomeBadge } from '../../calls/ended-table.ts';
import { RelativeTime } from '../../components/relative-time.ts';
import { useData } from '../../hooks/use-data.ts';
import { html } from '../../html.ts';
import { hashOf } from '../../router.ts';
import { callsOf } from './calls-of.ts';

/** Number of calls that are listed. Clients may ask for one record very often. */
const maxShown = 5;

/** The calls of a record: the way from a decision to what came of it. */
export function RecordCalls({
  record: { id, tool, status },
}: {
  readonly record: Pick<ApprovalRecord, 'id' | 'tool' | 'status'>;
}): VNode | null {
  const { value } = useData<CallsPage>(`calls?tool=${encodeURIComponent(tool)}`, 'calls');
  if (value === undefined) return null;
  const calls = callsOf(id, value);
  const all = hashOf('calls', undefined, { tool, text: id });
  if (calls.length === 0 && status !== 'used') return null;
  return html`<section class="part"><h3>Its calls</h3>
    ${
      calls.length === 0
        ? html`<p><a href=${all}>Look for the call among older ones</a></p>`
        : html`<ul class="record-calls">${calls.slice(0, maxShown).map(
            ({ callId, outcome, startedAt }) =>
              html`<li key=${callId}><a href=${hashOf('calls', callId)}>${outcome === 'APPROVAL_REQUIRED' ? 'The call that asked' : 'The call after the decision'}</a>
                  <${OutcomeBadge} outcome=${outcome} /> <${RelativeTime} at=${startedAt} /></li>`,
          )}</ul>
          ${calls.length > maxShown && html`<p><a href=${all}>All ${calls.length}</a></p>`}`
    }</section>`;
}
