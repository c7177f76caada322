import type { ToolRow } from '../../wire/tools.ts';
import { Badge, RiskBadge } from '../components/badge.ts';
import { Button } from '../components/button.ts';
import { Choices } from '../components/choices.ts';
import { Empty } from '../components/empty.ts';
import { FilterField } from '../components/filter-field.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { matches } from '../formats/words.ts';
import { useData } from '../hooks/use-data.ts';
import { goTo } from '../hooks/use-route.ts';
import { useShown } from '../hooks/use-shown.ts';
import { useTitleFocus } from '../hooks/use-title-focus.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

const risks = [
  ['', 'All'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
] as const;

const columns: readonly Column<ToolRow>[] = [
  { title: 'Tool', show: ({ name }) => html`<span class="mono">${shownLine(name)}</span>` },
  {
    title: 'Risk',
    show: ({ risk, requiresApproval }) =>
      html`<span class="badges"><${RiskBadge} risk=${risk} />${requiresApproval && html`<${Badge}>asks first<//>`}</span>`,
  },
  {
    title: 'Description',
    show: ({ description }) => html`<span class="short">${shownLine(description.replaceAll(/\s+/g, ' '))}</span>`,
    isWide: true,
  },
  { title: 'From', show: ({ from }) => html`<span class="muted from">${shownLine(from)}</span>` },
];

/** The tools that can be called, with a search and their risk. */
export const ToolsPage: Page = ({ route }) => {
  useTitleFocus();
  const { text = '', risk = '' } = route.query;
  const data = useData<readonly ToolRow[]>('tools', 'tools');
  const found = (data.value ?? []).filter(
    (tool) => (risk === '' || tool.risk === risk) && matches(text, [tool.name, tool.description, tool.provider, tool.from]),
  );
  const shown = useShown(found);
  const filterBy = (change: Readonly<Record<string, string>>): void =>
    goTo(hashOf('tools', undefined, { ...route.query, ...change }), { replace: true });
  return html`<${PageHead} title="Tools" lead="Open a tool to read what it takes, and to call it." />
    <div class="filters">
      <${FilterField} label="Name or description" value=${text} onChange=${(value: string) => filterBy({ text: value })} />
      <${Choices} label="Risk" value=${risk} choices=${risks} onChange=${(value: string) => filterBy({ risk: value })} />
    </div>
    <${Loaded} data=${data}>${(tools: readonly ToolRow[]) =>
      tools.length === 0
        ? html`<${Empty} title="This server has no tools">Put a definition into a folder of tools, or list a package or source in the
            configuration. <code>toolkit new tool</code> writes a first one. What could not be loaded stands under <a href=${hashOf('problems')}>Problems</a>.<//>`
        : found.length === 0
          ? html`<${Empty} title="No tool matches"><p>None of the ${tools.length} tools fits the search.</p>
              <p><${Button} onClick=${() => filterBy({ text: '', risk: '' })}>Show all tools<//></p><//>`
          : html`<${Table} caption="Tools" columns=${columns} rows=${shown.rows} keyOf=${({ name }: ToolRow) => name}
                hrefOf=${({ name }: ToolRow) => hashOf('tools', name)} />
              <${Pager} shown=${shown.rows.length} noun=${shown.hasMore ? `of ${found.length} tool` : 'tool'} hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} />`}<//>`;
};
