import type { SecretRow } from '../../wire/state.ts';
import { Empty } from '../components/empty.ts';
import { FilterField } from '../components/filter-field.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { RelativeTime } from '../components/relative-time.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { matches } from '../formats/words.ts';
import { useData } from '../hooks/use-data.ts';
import { goTo } from '../hooks/use-route.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import type { Page } from './page.ts';

const columns: readonly Column<SecretRow>[] = [
  { title: 'Name', show: ({ name }) => html`<span class="mono strong">${shownLine(name)}</span>` },
  {
    title: 'From',
    show: ({ resolver }) => (resolver === undefined ? html`<span class="muted">not used yet</span>` : shownLine(resolver)),
  },
  {
    title: 'Age',
    show: ({ since }) => (since === undefined ? html`<span class="muted">–</span>` : html`<${RelativeTime} at=${since} />`),
    isNumber: true,
  },
  {
    title: 'Tools that declare it',
    show: ({ tools }) =>
      html`<span class="links">${tools.map((tool) => html`<a key=${tool} class="mono" href=${hashOf('tools', tool)}>${shownLine(tool)}</a>`)}${tools.length === 0 && html`<span class="muted">none: it is for the login at a provider, or a plugin</span>`}${tools.length === 10 && html`<span class="muted">and perhaps more</span>`}</span>`,
    isWide: true,
  },
];

/** The secrets by name. Their values never come to the page. */
export const SecretsPage: Page = ({ route }) => {
  const { text = '' } = route.query;
  const data = useData<readonly SecretRow[]>('secrets', 'tools', 'calls');
  const found = (data.value ?? []).filter(({ name, resolver, tools }) => matches(text, [name, resolver, ...tools]));
  const shown = useShown(found);
  return html`<${PageHead} title="Secrets" lead="Values are never shown: they do not leave the server. A secret is looked up when a tool first needs it." />
    <${Loaded} data=${data}>${(secrets: readonly SecretRow[]) =>
      secrets.length === 0
        ? html`<${Empty} title="No tool declares a secret">A definition names those that it needs under <code>secrets</code>, and a plugin such
            as <code>secrets-env</code> or <code>secrets-vault</code> resolves them.<//>`
        : html`<div class="filters"><${FilterField} label="Name, resolver or tool" value=${text}
              onChange=${(value: string) => goTo(hashOf('secrets', undefined, { text: value }), { replace: true })} /></div>
            ${found.length === 0 ? html`<${Empty} title="No secret matches">Empty the filter to see all ${secrets.length}.<//>` : html`<${Table} caption="Secrets" columns=${columns} rows=${shown.rows} keyOf=${({ name }: SecretRow) => name} />`}
            <${Pager} shown=${shown.rows.length} noun="secret" hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} />`}<//>`;
};
