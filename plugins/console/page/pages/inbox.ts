import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { Button } from '../components/button.ts';
import { Empty } from '../components/empty.ts';
import { Failure } from '../components/failure.ts';
import { Icon } from '../components/icon.ts';
import { Loading } from '../components/loading.ts';
import { Pager } from '../components/pager.ts';
import { useConsole } from '../console-context.ts';
import { counted, matches } from '../formats/words.ts';
import { useCommands } from '../hooks/use-commands.ts';
import { useMedia, wideScreen } from '../hooks/use-media.ts';
import { goTo, isPresent } from '../hooks/use-route.ts';
import { html } from '../html.ts';
import { hashOf } from '../router.ts';
import { Approval } from './approval.ts';
import { type Gone, goneWith, nextWaiting, stillListed } from './inbox/gone.ts';
import { InboxEmpty } from './inbox/inbox-empty.ts';
import { InboxHead } from './inbox/inbox-head.ts';
import { ManyBar } from './inbox/many-bar.ts';
import { Row } from './inbox/row.ts';
import { allToggled, chosenOf, movedId, type Selection, toggled } from './inbox/selection.ts';
import { summaryOf } from './inbox/summary.ts';
import { useApprovals } from './inbox/use-approvals.ts';
import { useArrivals } from './inbox/use-arrivals.ts';
import type { Page } from './page.ts';

/** Number of pages that a filter searches: 1,000 records. */
const filteredPages = 10;

/** The calls that wait for a person: a list, and the details of one beside it or, on a phone, in its place. */
export const InboxPage: Page = ({ route }) => {
  const { overview } = useConsole();
  const isWide = useMedia(wideScreen);
  const status = route.query['status'] === 'all' ? undefined : 'waiting';
  const [filter, setFilter] = useState('');
  const [pages, setPages] = useState(1);
  const list = useApprovals(status, filter === '' ? pages : Math.max(pages, filteredPages));
  const [selection, setSelection] = useState<Selection>(new Map());
  const [askedMany, setAskedMany] = useState<boolean>();
  const [askedOne, setAskedOne] = useState<boolean>();
  const [cursor, setCursor] = useState<string>();
  const [gone, setGone] = useState<Gone>(new Set());
  const listElement = useRef<HTMLUListElement>(null);
  const filterInput = useRef<HTMLInputElement>(null);
  const lastIndex = useRef(0);

  const listed = (list.records ?? []).filter((record) => stillListed(record, status, gone));
  const rows = filter === '' ? listed : listed.filter((record) => matches(filter, textsOf(record)));
  const ids = rows.map(({ id }) => id);
  const chosen = chosenOf(selection, rows);
  const current = route.id ?? cursor;
  const tabId = current !== undefined && ids.includes(current) ? current : ids[Math.min(lastIndex.current, ids.length - 1)];
  if (current !== undefined && ids.includes(current)) lastIndex.current = ids.indexOf(current);
  const addressOf = (id?: string): string => hashOf('inbox', id, { status: status === undefined ? 'all' : undefined });
  useArrivals(status === 'waiting' ? list.records : undefined);

  const focusRow = (id: string | undefined): boolean => {
    const link = id === undefined ? null : listElement.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] a`);
    link?.focus();
    link?.scrollIntoView({ block: 'nearest' });
    return link !== null && link !== undefined;
  };
  // A row that leaves the list takes the focus with it: its neighbour gets it.
  const hadFocus = listElement.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    if (hadFocus && document.activeElement === document.body && !focusRow(tabId)) document.querySelector<HTMLElement>('h1')?.focus();
  });
  useEffect(() => {
    if (isWide && route.id === undefined && ids[0] !== undefined && isPresent(route)) goTo(addressOf(ids[0]), { replace: true });
  }, [isWide, route.id, ids[0]]);
  useEffect(() => setAskedOne(undefined), [route.id]);
  const hasChosen = chosen.length > 0;
  useEffect(() => {
    if (!hasChosen) setAskedMany(undefined);
  }, [hasChosen]);

  const move = (step: number, event: KeyboardEvent): boolean => {
    const isInList = listElement.current?.contains(event.target as Node) === true;
    // Arrows elsewhere scroll.
    if (event.key.length > 1 && !isInList && document.activeElement !== document.body) return false;
    const next = movedId(ids, current, lastIndex.current, current === undefined && step === 1 ? 0 : step);
    if (next === undefined) return false;
    setCursor(next);
    if (isWide || route.id !== undefined) goTo(addressOf(next), { replace: true });
    focusRow(next);
    return true;
  };
  const ask = (approve: boolean): boolean => {
    if (chosen.length > 0) setAskedMany(approve);
    else if (route.id !== undefined) setAskedOne(approve);
    else if (tabId !== undefined) {
      goTo(addressOf(tabId));
      return true;
    }
    return true;
  };
  const select = (): boolean => {
    const record = rows.find(({ id }) => id === tabId);
    if (record?.status === 'waiting') setSelection(toggled(selection, record));
    return true;
  };
  const clear = (): boolean => {
    if (chosen.length > 0) setSelection(new Map());
    else if (filter !== '') setFilter('');
    else if (!isWide && route.id !== undefined) goTo(addressOf());
    else if (document.activeElement?.closest('.approval') == null) return false;
    if (!focusRow(tabId)) document.querySelector<HTMLElement>('h1')?.focus();
    return true;
  };
  useCommands({
    next: (event) => move(1, event),
    previous: (event) => move(-1, event),
    first: (event) => move(-ids.length, event),
    last: (event) => move(ids.length, event),
    approve: () => ask(true),
    refuse: () => ask(false),
    select,
    'select-all': () => {
      setSelection(allToggled(selection, rows));
      return true;
    },
    filter: () => {
      filterInput.current?.focus();
      return true;
    },
    leave: clear,
  });

  const afterDecision = (decided: readonly ApprovalRecord[]): void => {
    setAskedOne(undefined);
    setAskedMany(undefined);
    setSelection(new Map());
    setGone((before) => goneWith(before, decided));
    // With approvers to come, a decided record still waits.
    const done = new Set(decided.map(({ id }) => id));
    const next = nextWaiting(rows, current, lastIndex.current, done);
    void list.reload();
    goTo(addressOf(isWide ? (next ?? (status === undefined ? route.id : undefined)) : undefined), { replace: true });
    setCursor(next);
    requestAnimationFrame(() => {
      if (!focusRow(next)) document.querySelector<HTMLElement>('h1')?.focus();
    });
  };
  const showsList = isWide || route.id === undefined;
  const allSelected = hasChosen && chosen.length === rows.filter((record) => record.status === 'waiting').length;
  const listPart = html`<section class="inbox-list" aria-label="Calls">
    <div class="inbox-tools">
      <input type="search" ref=${filterInput} value=${filter} placeholder="Filter" aria-label="Filter by tool, caller or text" aria-keyshortcuts="/"
        onInput=${(event: InputEvent) => setFilter((event.target as HTMLInputElement).value)} />
      ${
        status === 'waiting' &&
        html`<${Button} kind="quiet" disabled=${rows.length === 0} pressed=${allSelected} onClick=${() => setSelection(allToggled(selection, rows))}>Select all shown<//>`
      }
    </div>
    <ul ref=${listElement}>${rows.map(
      (record) => html`<${Row} key=${record.id} record=${record} href=${addressOf(record.id)} isCurrent=${record.id === tabId}
        isOpen=${record.id === route.id} isSelected=${selection.has(record.id)} onSelect=${() => setSelection(toggled(selection, record))}
        onFocus=${() => setCursor(record.id)} />`,
    )}</ul>
    ${rows.length === 0 && html`<${Empty} title="Nothing fits the filter."><${Button} onClick=${clear}>Clear the filter<//><//>`}
    ${list.unreadable > 0 && html`<p class="callout warn">${counted(list.unreadable, 'record')} cannot be read here: written with another key or by a later version.</p>`}
    <${Pager} shown=${rows.length} noun="call" hasMore=${list.hasMore} isLoading=${list.isLoading} onMore=${() => setPages(pages + 1)} />
    ${
      hasChosen &&
      html`<${ManyBar} chosen=${chosen} asked=${askedMany} onAsk=${setAskedMany} onDecided=${afterDecision}
        onFailed=${() => void list.reload()} onClear=${clear} />`
    }
  </section>`;
  return html`<div class=${`inbox ${showsList ? '' : 'only-details'}`}>
    ${
      showsList
        ? html`<${InboxHead} status=${status} pollMs=${overview.pollMs} />`
        : html`<h1 class="back" tabindex="-1"><a href=${addressOf()}><${Icon} name="back" />Inbox</a></h1>`
    }
    <${Failure} error=${list.error} onRetry=${() => void list.reload()} />
    ${
      list.records === undefined || (listed.length === 0 && list.isLoading && route.id === undefined)
        ? list.error === undefined && html`<${Loading} />`
        : listed.length === 0 && route.id === undefined
          ? html`<${InboxEmpty} keepsApprovals=${overview.keepsApprovals} unaskedTools=${overview.unaskedTools} isWaiting=${status === 'waiting'} />`
          : html`<div class="inbox-columns">
            ${showsList && listPart}
            ${route.id !== undefined && html`<${Approval} key=${route.id} id=${route.id} asked=${hasChosen ? undefined : askedOne} onAsk=${setAskedOne} isBlocked=${hasChosen} takesFocus=${!isWide} onDecided=${afterDecision} />`}
          </div>`
    }
  </div>`;
};

/** Returns the texts that a filter searches: what the row shows, and a little more. */
function textsOf(record: ApprovalRecord): readonly string[] {
  const { id, tool, caller, tenant, status, risk, reasons, shown } = record;
  return [id, tool, caller, tenant, status, risk, shown.provider ?? '', summaryOf(record), ...reasons.map(({ message }) => message)];
}
