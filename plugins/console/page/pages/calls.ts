import type { VNode } from 'preact';
import type { CallsPage as CallsAnswer, EndedCall, RunningCall } from '../../wire/calls.ts';
import { EndedTable } from '../calls/ended-table.ts';
import type { ReadCalls } from '../calls/join-pages.ts';
import { RunningTable } from '../calls/running-table.ts';
import { useCalls } from '../calls/use-calls.ts';
import { Button } from '../components/button.ts';
import { Empty } from '../components/empty.ts';
import { FilterField } from '../components/filter-field.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { Section } from '../components/section.ts';
import { Select } from '../components/select.ts';
import { counted, matches } from '../formats/words.ts';
import { goTo } from '../hooks/use-route.ts';
import { useShown } from '../hooks/use-shown.ts';
import { useTitleFocus } from '../hooks/use-title-focus.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

const outcomes = [
  ['', 'Every outcome'],
  ['completed', 'Completed'],
  ['failed', 'Failed or refused'],
] as const;

/** The calls that run, and below them those that have ended. */
export const CallsPage: Page = ({ route }) => {
  useTitleFocus();
  const { tool = '', outcome = '', text = '' } = route.query;
  const { newest, read, isLoading, readOlder } = useCalls(tool);
  const filterBy = (change: Readonly<Record<string, string>>): void =>
    goTo(hashOf('calls', undefined, { ...route.query, ...change }), { replace: true });
  const isMatch = (call: RunningCall | EndedCall): boolean => (tool === '' || call.tool === tool) && matches(text, textsOf(call));
  const hasOutcome = (call: EndedCall): boolean => outcome === '' || (call.outcome === 'completed') === (outcome === 'completed');
  const tools = [...new Set([tool, ...[...(newest.value?.running ?? []), ...(read?.ended ?? [])].map((call) => call.tool)])]
    .filter(Boolean)
    .sort();
  const isFiltered = tool !== '' || outcome !== '' || text !== '';
  const ended = (read?.ended ?? []).filter((call) => isMatch(call) && hasOutcome(call));
  const shown = useShown(ended);
  const more = (): void => {
    shown.more();
    if (!shown.hasMore) readOlder();
  };
  const list = (page: CallsAnswer): VNode => {
    const running = outcome === '' ? page.running.filter(isMatch) : [];
    if (!isFiltered && running.length === 0 && ended.length === 0) return html`<${NoCalls} />`;
    return html`${running.length > 0 && html`<${Section} title=${`Running (${isFiltered ? running.length : (page.runningCount ?? running.length)})`}><${RunningTable} calls=${running} /><//>`}
      <${Section} title="Ended" lead=${fromOf(page)}>
        ${ended.length > 0 ? html`<${EndedTable} calls=${shown.rows} />` : html`<${NoMatch} read=${read} isFiltered=${isFiltered} onClear=${() => filterBy({ tool: '', outcome: '', text: '' })} />`}
        ${page.broken !== undefined && html`<div class="callout warn"><p>${counted(page.broken, 'line')} of the audit trail cannot be verified and ${page.broken === 1 ? 'is' : 'are'} left out. Run <code>toolkit audit verify</code> to see which.</p></div>`}
        <${Pager} shown=${shown.rows.length} noun="call" hasMore=${shown.hasMore || read?.next !== undefined} isLoading=${isLoading} onMore=${more} />
      <//>`;
  };
  return html`<${PageHead} title="Calls" lead="What runs now, and what ran. The list changes by itself." />
    <div class="filters">
      <${FilterField} label="Tool, caller, or id of a call, trace or approval" value=${text} onChange=${(value: string) => filterBy({ text: value })} />
      <${Select} label="Tool" value=${tool} options=${[['', 'Every tool'], ...tools.map((name) => [name, name])]}
        onChange=${(value: string) => filterBy({ tool: value })} />
      <${Select} label="Outcome" value=${outcome} options=${outcomes} onChange=${(value: string) => filterBy({ outcome: value })} />
    </div>
    <${Loaded} data=${newest}>${list}<//>`;
};

function textsOf(call: RunningCall | EndedCall): readonly (string | undefined)[] {
  const records = 'approvals' in call ? [call.approval, ...call.approvals.map(({ record }) => record)] : [];
  return [call.tool, call.caller, call.callId, call.traceId, ...records];
}

function fromOf({ from }: CallsAnswer): string {
  return from === 'trail'
    ? 'From the audit trail: calls of every process that writes it.'
    : 'Of this process since its start, at most 1,000. Add the plugin audit-trail to see older ones and those of other processes.';
}

function NoCalls(): VNode {
  return html`<${Empty} title="No calls yet">They appear here while they run. <a href=${hashOf('tools')}>Choose a tool</a> to call one yourself.<//>`;
}

function NoMatch({
  read,
  isFiltered,
  onClear,
}: {
  readonly read: ReadCalls | undefined;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}): VNode {
  if (!isFiltered) return html`<${Empty} title="None has ended yet">The running calls move here when they end.<//>`;
  const more = read?.next === undefined ? '' : ' Older calls were not read yet: "Show more" reads them.';
  return html`<${Empty} title="No ended call matches"><p>None of the ${read?.ended.length ?? 0} calls that were read fits the filter.${more}</p>
    <p><${Button} onClick=${onClear}>Show all calls<//></p><//>`;
}
