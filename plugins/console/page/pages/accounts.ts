import type { AccountRow, AccountsPage as AccountsAnswer } from '../../wire/state.ts';
import { Badge } from '../components/badge.ts';
import { Button } from '../components/button.ts';
import { Empty } from '../components/empty.ts';
import { FilterField } from '../components/filter-field.ts';
import { Loaded } from '../components/loaded.ts';
import { PageHead } from '../components/page-head.ts';
import { Pager } from '../components/pager.ts';
import { Prose } from '../components/prose.ts';
import { RelativeTime } from '../components/relative-time.ts';
import { type Column, Table } from '../components/table.ts';
import { shownLine } from '../formats/shown-text.ts';
import { matches } from '../formats/words.ts';
import { useData } from '../hooks/use-data.ts';
import { goTo } from '../hooks/use-route.ts';
import { useShown } from '../hooks/use-shown.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { accountWords } from '../state/account-words.ts';
import type { Page } from './page.ts';

const columns: readonly Column<AccountRow>[] = [
  { title: 'Account', show: ({ account }) => html`<strong>${shownLine(account)}</strong>` },
  { title: 'Service', show: ({ provider }) => shownLine(provider) },
  {
    title: 'State',
    show: (row) => {
      const { word, tone, note } = accountWords(row);
      return html`<span class="badges"><${Badge} tone=${tone}>${shownLine(word)}<//>${note !== undefined && html` <span class="hint">${shownLine(note)}</span>`}
        ${row.login !== undefined && html` <span class="hint">Run <code>${shownLine(row.login)}</code></span>`}</span>`;
    },
    isWide: true,
  },
  { title: 'Belongs to', show: ({ owner }) => shownLine(owner) },
  {
    title: 'Allowed to',
    show: ({ scopes }) =>
      scopes.length === 0
        ? html`<span class="muted">the service did not say</span>`
        : html`<span class="mono">${shownLine(scopes.join(' '))}</span>`,
  },
  {
    title: 'Connected',
    show: ({ connectedAt }) =>
      connectedAt === undefined ? html`<span class="muted">not known</span>` : html`<${RelativeTime} at=${connectedAt} />`,
    isNumber: true,
  },
];

/** The connected accounts. Their tokens are never shown. */
export const AccountsPage: Page = ({ route }) => {
  const { text = '' } = route.query;
  const data = useData<AccountsAnswer>('accounts', 'tools', 'sources');
  const found = (data.value?.accounts ?? []).filter(({ provider, account, owner, state }) =>
    matches(text, [provider, account, owner, state]),
  );
  const shown = useShown(found);
  return html`<${PageHead} title="Accounts" lead="Accounts at other services, such as mail or a calendar, with which tools act for people. Their tokens are never shown." />
    <${Loaded} data=${data}>${({ accounts, how, failure }: AccountsAnswer) =>
      failure !== undefined
        ? html`<div class="callout danger"><p>${shownLine(failure)}</p><${Button} onClick=${() => void data.reload()}>Try again<//></div>`
        : accounts.length === 0
          ? html`<${Empty} title="No account is connected">Tools that need one ask for it when they are called. <${Prose} text=${how} /><//>`
          : html`<div class="filters"><${FilterField} label="Account, service or owner" value=${text}
              onChange=${(value: string) => goTo(hashOf('accounts', undefined, { text: value }), { replace: true })} /></div>
            ${
              found.length === 0
                ? html`<${Empty} title="No account matches">Empty the filter to see all ${accounts.length}.<//>`
                : html`<${Table} caption="Accounts" columns=${columns} rows=${shown.rows}
              keyOf=${({ provider, account, owner }: AccountRow) => JSON.stringify([provider, account, owner])} />`
            }
            <${Pager} shown=${shown.rows.length} noun="account" hasMore=${shown.hasMore} isLoading=${false} onMore=${shown.more} />
            <p class="hint"><${Prose} text=${how} /></p>`}<//>`;
};
