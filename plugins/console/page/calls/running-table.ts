import type { VNode } from 'preact';
import type { RunningCall } from '../../wire/calls.ts';
import { Badge } from '../components/badge.ts';
import { Pager } from '../components/pager.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { preciseDuration } from '../formats/time.ts';
import { useNow } from '../hooks/use-now.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { presentStages } from './stage-times.ts';

/** The calls that run, with their present stage and the time since they began. */
export function RunningTable({ calls }: { readonly calls: readonly RunningCall[] }): VNode {
  const now = useNow(1000);
  const shown = useShown(calls, 50);
  const columns: readonly Column<RunningCall>[] = [
    { title: 'Tool', show: ({ tool }) => html`<span class="mono">${shownLine(tool)}</span>` },
    { title: 'Now', show: (call) => html`<${StageBadge} call=${call} />` },
    { title: 'Caller', show: ({ caller }) => shownLine(caller) },
    { title: 'For', show: ({ startedAt }) => preciseDuration(Math.max(0, Math.floor((now - startedAt) / 1000) * 1000)), isNumber: true },
  ];
  return html`<${Table} caption="Running calls" columns=${columns} rows=${shown.rows} keyOf=${({ callId }: RunningCall) => callId}
      hrefOf=${({ callId }: RunningCall) => hashOf('calls', callId)} />
    ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="running call" hasMore isLoading=${false} onMore=${shown.more} />`}`;
}

/** The present stage of a call. */
function StageBadge({ call }: { readonly call: RunningCall }): VNode {
  const stage = call.stages.at(-1)?.stage ?? 'checks';
  return html`<${Badge} tone=${stage === 'approval' ? 'warn' : 'accent'}>${presentStages[stage]}<//>`;
}
