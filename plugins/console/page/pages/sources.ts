import type { VNode } from 'preact';
import type { SourcesPage as SourcesAnswer } from '../../wire/sources.ts';
import { Empty } from '../components/empty.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { Prose } from '../components/prose.ts';
import { Section } from '../components/section.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { counted } from '../formats/words.ts';
import { useData } from '../hooks/use-data.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { SourceCard } from '../sources/source-card.ts';
import type { Page } from './page.ts';

/** The sources of tools, with what waits to be accepted first. */
export const SourcesPage: Page = () => {
  const data = useData<SourcesAnswer>('sources', 'sources', 'tools');
  return html`<${PageHead} title="Sources" lead="Where tools come from, such as other MCP servers. What changes there is used only when you have accepted it." />
    <${Loaded} data=${data}>${(page: SourcesAnswer) => html`<${SourceList} page=${page} onAccepted=${() => void data.reload()} />`}<//>`;
};

function SourceList({ page, onAccepted }: { readonly page: SourcesAnswer; readonly onAccepted: () => void }): VNode {
  const { sources, changes, withheldTools, more = 0 } = page;
  const changesOf = (name: string): SourcesAnswer['changes'] => changes.filter(({ source }) => source === name);
  const ordered = [...sources].sort((first, second) => changesOf(second.name).length - changesOf(first.name).length);
  const shown = useShown(ordered, 50);
  if (sources.length === 0 && withheldTools.length === 0)
    return html`<${Empty} title="No sources">All tools are from folders and packages of the configuration, see <a href=${hashOf('tools')}>Tools</a>.
      The plugins <code>upstreams</code> and <code>openapi</code> add tools of other servers.<//>`;
  return html`${more > 0 && html`<div class="callout"><p>${counted(more, 'further change')} will be shown when these were accepted.</p></div>`}
    <div class="cards">${shown.rows.map((source) => html`<${SourceCard} key=${source.name} source=${source} changes=${changesOf(source.name)} onAccepted=${onAccepted} />`)}</div>
    ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="source" hasMore isLoading=${false} onMore=${shown.more} />`}
    ${withheldTools.length > 0 && html`<${WithheldTools} tools=${withheldTools} />`}`;
}

type Withheld = SourcesAnswer['withheldTools'][number];

const columns: readonly Column<Withheld>[] = [
  { title: 'Tool', show: ({ tool }) => html`<span class="mono strong">${shownLine(tool)}</span>` },
  { title: 'Reason, and what to do', show: ({ reason }) => html`<${Prose} text=${reason} />`, isWide: true },
];

function WithheldTools({ tools }: { readonly tools: readonly Withheld[] }): VNode {
  const shown = useShown(tools);
  return html`<${Section} title="Tools that are not active yet" lead="No model sees them until a person has activated them.">
    <${Table} caption="Tools that are not active yet" columns=${columns} rows=${shown.rows} keyOf=${({ tool }: Withheld) => tool} />
    ${shown.hasMore && html`<${Pager} shown=${shown.rows.length} noun="tool" hasMore isLoading=${false} onMore=${shown.more} />`}
  <//>`;
}
